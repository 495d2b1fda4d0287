use serde_json::{Value, json};

use super::{MASK, Secrets};

const OWN_KEY: &str = "0fakefakefakefakefakefakefakefak";

fn secrets() -> Secrets {
    Secrets::new(false, Some(OWN_KEY))
}

fn masked(mut value: Value) -> Value {
    secrets().mask(&mut value);
    value
}

#[test]
fn settings_are_masked_by_name_and_what_is_empty_or_no_text_stays() {
    assert_eq!(
        masked(json!({
            "port": 8989, "username": "me", "password": "hash", "passwordConfirmation": "",
            "apiKey": OWN_KEY, "proxyPassword": "p", "sslCertPassword": "q", "authenticationMethod": "forms"
        })),
        json!({
            "port": 8989, "username": "me", "password": MASK, "passwordConfirmation": "",
            "apiKey": MASK, "proxyPassword": MASK, "sslCertPassword": MASK, "authenticationMethod": "forms"
        })
    );
}

#[test]
fn a_providers_settings_are_masked_by_privacy_and_by_name() {
    assert_eq!(
        masked(json!({"name": "Hook", "fields": [
            {"name": "host", "value": "nas", "privacy": "normal"},
            {"name": "pin", "value": "1234", "privacy": "password"},
            {"name": "webHookUrl", "value": "https://discord.com/api/webhooks/1/t", "privacy": "normal"},
            {"name": "userKey", "value": "abc", "privacy": "userName"},
            {"name": "baseUrl", "value": "https://host/rss?passkey=abc", "privacy": "normal"},
            {"name": "headers", "value": [{"key": "X-Auth", "value": "abc"}], "privacy": "normal"},
            {"name": "useApiKey", "value": true},
            {"name": "statelessUrls", "value": ["tgram://abc/1"]}
        ]})),
        json!({"name": "Hook", "fields": [
            {"name": "host", "value": "nas", "privacy": "normal"},
            {"name": "pin", "value": MASK, "privacy": "password"},
            {"name": "webHookUrl", "value": MASK, "privacy": "normal"},
            {"name": "userKey", "value": MASK, "privacy": "userName"},
            {"name": "baseUrl", "value": "https://host/rss?passkey=********", "privacy": "normal"},
            {"name": "headers", "value": [{"key": "X-Auth", "value": MASK}], "privacy": "normal"},
            {"name": "useApiKey", "value": true},
            {"name": "statelessUrls", "value": [MASK]}
        ]})
    );
}

#[test]
fn failed_checks_do_not_repeat_what_was_tried() {
    assert_eq!(
        masked(json!({"propertyName": "ApiKey", "errorMessage": "wrong", "attemptedValue": "abc",
            "formattedMessagePlaceholderValues": {"propertyName": "Api Key", "propertyValue": "abc"}})),
        json!({"propertyName": "ApiKey", "errorMessage": "wrong", "attemptedValue": MASK,
            "formattedMessagePlaceholderValues": {"propertyName": "Api Key", "propertyValue": MASK}})
    );
}

#[test]
fn translations_stay() {
    let texts = json!({"strings": {"Password": "Password", "ApiKey": "API Key", "Token": "Token"}});
    assert_eq!(masked(texts.clone()), texts);
}

#[test]
fn the_own_key_is_masked_under_any_name() {
    assert_eq!(masked(json!([format!("key {OWN_KEY} used")])), json!(["key ******** used"]));
    assert_eq!(secrets().mask_text(&format!("({OWN_KEY})")), "(********)");
    assert!(!format!("{:?}", secrets()).contains(OWN_KEY));
}

#[test]
fn shown_secrets_stay() {
    let secrets = Secrets::new(true, Some(OWN_KEY));
    let mut value = json!({"apiKey": OWN_KEY});
    secrets.mask(&mut value);
    assert_eq!(value, json!({"apiKey": OWN_KEY}));
    assert_eq!(secrets.mask_text("apikey=abc"), "apikey=abc");
}

#[test]
fn a_masked_release_is_found_again() {
    let secrets = secrets();
    let real = json!([
        {"guid": "https://host/dl/1?apikey=abc", "indexerId": 1},
        {"guid": "https://host/dl/1?apikey=def", "indexerId": 2}
    ]);
    let mut shown = real.clone();
    secrets.mask(&mut shown);
    assert_ne!(shown[0]["guid"], shown[1]["guid"]);
    assert!(!shown.to_string().contains("abc") && !shown.to_string().contains("def"));
    let mut sent = shown;
    secrets.restore(&mut sent, None, "arguments.body").unwrap();
    assert_eq!(sent, real);
}

#[test]
fn a_masked_setting_is_taken_from_the_current_object() {
    let secrets = secrets();
    let current = json!({
        "apiKey": "abc", "password": "hash", "proxyPassword": "",
        "fields": [
            {"name": "host", "value": "nas"},
            {"name": "webHookUrl", "value": "https://host/hooks/1/t"},
            {"name": "apiKey", "value": MASK, "privacy": "apiKey"}
        ]
    });
    let mut sent = current.clone();
    secrets.mask(&mut sent);
    sent["fields"].as_array_mut().unwrap().reverse();
    secrets.restore(&mut sent, Some(&current), "arguments.patch").unwrap();
    sent["fields"].as_array_mut().unwrap().reverse();
    assert_eq!(sent, current);
}

#[test]
fn a_mask_that_stands_for_nothing_is_refused_with_its_path() {
    for (mut sent, path) in [
        (json!({"fields": [{"name": "apiKey", "value": MASK}]}), "arguments.body.fields[apiKey].value"),
        (json!({"downloadUrl": "https://host/?apikey=********"}), "arguments.body.downloadUrl"),
    ] {
        let error = secrets().restore(&mut sent, None, "arguments.body").unwrap_err();
        assert_eq!(error.path, path);
    }
    let mut title = json!({"title": "What the F********"});
    secrets().restore(&mut title, None, "arguments.body").unwrap();
    assert_eq!(title, json!({"title": "What the F********"}));
}
