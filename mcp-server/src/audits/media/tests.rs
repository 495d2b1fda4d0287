use super::super::library::Media;
use super::*;

fn series(id: i32, language: (i32, &str)) -> types::SeriesResource {
    let language = json!({"id": language.0, "name": language.1});
    serde_json::from_value(json!({"id": id, "title": "Some Show", "originalLanguage": language})).unwrap()
}

/// A file of 1080p from the web that speaks English for 42 minutes.
fn file(id: i32) -> File {
    File {
        id,
        series_id: 1,
        season: 1,
        path: format!("/tv/Some Show/Season 1/{id}.mkv").into(),
        relative_path: format!("Season 1/{id}.mkv").into(),
        size: 1,
        added: None,
        quality_id: 3,
        quality: "WEBDL-1080p".into(),
        resolution: 1080,
        source: Some(types::QualitySource::Web),
        below_cutoff: false,
        score: 0,
        formats: Box::default(),
        languages: Box::new([1]),
        scene_name: None,
        release_group: None,
        media: Some(Box::new(Media {
            resolution: Some((1920, 1080)),
            seconds: Some(42 * 60),
            audio_languages: "eng".into(),
            subtitles: "".into(),
            video_codec: "h264".into(),
            audio_streams: 1,
        })),
    }
}

fn with(id: i32, change: impl FnOnce(&mut File, &mut Media)) -> File {
    let mut file = file(id);
    let mut media = file.media.take().unwrap();
    change(&mut file, &mut media);
    file.media = Some(media);
    file
}

fn qualities() -> Vec<types::Quality> {
    let rows = [
        (1, "SDTV", "television", 480),
        (4, "HDTV-720p", "television", 720),
        (5, "WEBDL-720p", "web", 720),
        (14, "WEBRip-720p", "webRip", 720),
        (6, "Bluray-720p", "bluray", 720),
        (8, "WEBDL-480p", "web", 480),
    ];
    let quality = |(id, name, source, resolution)| {
        serde_json::from_value(json!({"id": id, "name": name, "source": source, "resolution": resolution})).unwrap()
    };
    rows.into_iter().map(quality).collect()
}

#[test]
fn the_quality_of_the_same_source_is_recorded_and_its_revision_kept() {
    let small = |file: &mut File, media: &mut Media| {
        media.resolution = Some((1280, 716));
        file.resolution = 1080;
    };
    let web = with(1, small);
    let remux = with(2, |file, media| {
        small(file, media);
        file.source = Some(types::QualitySource::BlurayRaw);
    });
    // There is no DVD of 720p, and what was recorded as it came may have any size.
    let dvd = with(3, |file, media| {
        media.resolution = Some((1280, 720));
        (file.resolution, file.source) = (480, Some(types::QualitySource::Dvd));
    });
    let raw = with(4, |file, media| {
        small(file, media);
        file.source = Some(types::QualitySource::TelevisionRaw);
    });
    let unseen = with(5, |_, media| media.resolution = None);
    let contradicted: Vec<bool> =
        [&web, &remux, &dvd, &raw, &unseen, &file(6)].map(|file| contradiction(file).is_some()).into();
    assert_eq!(contradicted, [true, true, true, false, false, false]);

    let recorded: HashMap<i32, types::QualityModel> = [1, 2, 3]
        .map(|id| {
            let model = json!({"quality": {"id": 3, "name": "WEBDL-1080p"}, "revision": {"version": 2, "real": 0}});
            (id, serde_json::from_value(model).unwrap())
        })
        .into();
    let findings = mismatches(&series(1, (1, "English")), &[&web, &remux, &dvd], &qualities(), &recorded);
    let [mended, bare] = findings.as_slice() else { panic!("{findings:?}") };
    let mend = mended.mend.as_ref().unwrap();
    assert_eq!(mend.operation, "update_episode_files");
    let set = |index: usize| (&mend.arguments["body"][index]["id"], &mend.arguments["body"][index]["quality"]);
    assert_eq!((set(0).0, &set(0).1["quality"]["name"]), (&json!(1), &json!("WEBDL-720p")));
    assert_eq!((set(1).0, &set(1).1["quality"]["name"]), (&json!(2), &json!("Bluray-720p")));
    assert_eq!(set(0).1["revision"]["version"], 2);
    assert_eq!(
        mended.reason,
        "1.mkv is recorded as WEBDL-1080p, and its picture is 1280x716; 2.mkv is recorded as WEBDL-1080p, and its \
         picture is 1280x716"
    );
    assert_eq!((bare.subject["episodeFileIds"].clone(), &bare.mend), (json!([3]), &None));
    assert_eq!(mismatches(&series(1, (1, "English")), &[&web], &qualities(), &HashMap::new()), []);
}

#[test]
fn a_file_that_breaks_off_is_told_with_its_minutes() {
    let files = [file(1), file(2), file(3), with(4, |_, media| media.seconds = Some(252))];
    let files: Vec<&File> = files.iter().collect();
    let runtimes: HashMap<i32, u32> = files.iter().map(|file| (file.id, 45 * 60)).collect();
    let findings = running_times(&series(1, (1, "English")), &files, &runtimes);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert!(finding.reason.starts_with("4.mkv runs for 4.2 of 45 minutes;"), "{}", finding.reason);
    assert_eq!(finding.mend.as_ref().unwrap().arguments, json!({"id": 4}));
    let specials: HashMap<i32, u32> = HashMap::new();
    assert_eq!(running_times(&series(1, (1, "English")), &files, &specials), []);
}

#[test]
fn a_dub_among_originals_is_told_and_a_dubbed_series_is_not() {
    let dub = |id| {
        with(id, |file, media| {
            file.languages = Box::new([1]);
            media.audio_languages = "eng".into();
        })
    };
    let original = |id| {
        with(id, |file, media| {
            file.languages = Box::new([8]);
            media.audio_languages = "jpn/eng".into();
        })
    };
    let anime = series(1, (8, "Japanese"));
    let files = [original(1), original(2), original(3), original(4), dub(5)];
    let findings = languages(&anime, &files.iter().collect::<Vec<_>>());
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(finding.subject["episodeFileId"], 5);
    assert_eq!(finding.reason, "5.mkv speaks eng; 4 other files of the series speak Japanese");
    let files = [dub(1), dub(2), dub(3), dub(4), dub(5)];
    assert_eq!(languages(&anime, &files.iter().collect::<Vec<_>>()), []);
}
