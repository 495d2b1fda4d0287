use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::{Method, Request};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::super::{empty, json, stream};
use crate::Client;

const GOOD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 8\r\n\r\n{\"id\":7}";
const HALF: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 8\r\n\r\n{\"id";
const NONE: &str = "";

fn status(status: u16) -> String {
    format!("HTTP/1.1 {status} X\r\ncontent-length: 4\r\n\r\nbusy")
}

/// A server that answers its nth connection with the nth text, later ones with the last, and counts.
async fn server(answers: Vec<String>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let nth = counted.fetch_add(1, Ordering::SeqCst);
            let answer = answers.get(nth).or(answers.last()).unwrap();
            let mut head = [0; 4096];
            let _ = socket.read(&mut head).await;
            let _ = socket.write_all(answer.as_bytes()).await;
        }
    });
    (url, count)
}

fn request(client: &Client, method: Method) -> Request {
    client.client.request(method, format!("{}/x?a=b", client.baseurl)).build().unwrap()
}

#[tokio::test]
async fn a_read_is_sent_again_until_the_trouble_has_passed() {
    for trouble in [NONE.to_owned(), HALF.to_owned(), status(502), status(503), status(504)] {
        let (url, count) = server(vec![trouble.clone(), trouble.clone(), GOOD.to_owned()]).await;
        let client = Client::connect(&url, "key").unwrap();
        let answer = json::<Value>(&client, request(&client, Method::GET), "get_x").await.unwrap();
        assert_eq!((answer["id"].as_i64(), count.load(Ordering::SeqCst)), (Some(7), 3), "{trouble}");
    }
}

#[tokio::test]
async fn trouble_that_stays_is_told_as_it_is() {
    for (trouble, told) in [(NONE.to_owned(), None), (status(502), Some(502)), (status(504), Some(504))] {
        for retries in [0, 1, 3] {
            let (url, count) = server(vec![trouble.clone()]).await;
            let client = Client::builder(url).api_key("key").retries(retries).build().unwrap();
            let error = json::<Value>(&client, request(&client, Method::GET), "get_x").await.unwrap_err();
            assert_eq!(count.load(Ordering::SeqCst), 1 + retries, "{trouble}");
            assert_eq!(error.status().map(|status| status.as_u16()), told);
            let says = if told.is_some() { "busy" } else { "closed before" };
            assert!(error.to_string().contains(says), "{error}");
        }
    }
}

#[tokio::test]
async fn what_does_not_pass_is_sent_once() {
    for refusal in [status(400), status(401), status(404), status(500)] {
        let (url, count) = server(vec![refusal.clone(), GOOD.to_owned()]).await;
        let client = Client::connect(&url, "key").unwrap();
        assert!(json::<Value>(&client, request(&client, Method::GET), "get_x").await.is_err());
        assert_eq!(count.load(Ordering::SeqCst), 1, "{refusal}");
    }
}

#[tokio::test]
async fn a_write_is_never_sent_again() {
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        for trouble in [NONE.to_owned(), HALF.to_owned(), status(503)] {
            let (url, count) = server(vec![trouble, GOOD.to_owned()]).await;
            let client = Client::connect(&url, "key").unwrap();
            assert!(json::<Value>(&client, request(&client, method.clone()), "do_x").await.is_err());
            assert_eq!(count.load(Ordering::SeqCst), 1, "{method}");
            let (url, count) = server(vec![status(502), GOOD.to_owned()]).await;
            let client = Client::connect(&url, "key").unwrap();
            assert!(empty(&client, request(&client, method.clone()), "do_x").await.is_err());
            assert_eq!(count.load(Ordering::SeqCst), 1, "{method}");
        }
    }
}

#[tokio::test]
async fn a_stream_and_an_empty_answer_are_reads_too() {
    let (url, count) = server(vec![status(503), GOOD.to_owned()]).await;
    let client = Client::connect(&url, "key").unwrap();
    let answer = stream(&client, request(&client, Method::GET), "get_x").await.unwrap();
    let chunks: Vec<Bytes> = futures::TryStreamExt::try_collect(answer.into_inner_stream()).await.unwrap();
    assert_eq!(chunks.concat(), b"{\"id\":7}");
    assert_eq!(count.load(Ordering::SeqCst), 2);

    let (url, count) = server(vec![NONE.to_owned(), "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_owned()]).await;
    let client = Client::connect(&url, "key").unwrap();
    empty(&client, request(&client, Method::HEAD), "head_x").await.unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn all_of_it_ends_within_the_time_out() {
    let (url, count) = server(vec![status(503)]).await;
    let limit = Duration::from_millis(700);
    let client = Client::builder(url).api_key("key").timeout(limit).retries(1000).build().unwrap();
    let begun = Instant::now();
    assert!(json::<Value>(&client, request(&client, Method::GET), "get_x").await.is_err());
    assert!(begun.elapsed() < limit + Duration::from_millis(500), "{:?}", begun.elapsed());
    assert!((2..=4).contains(&count.load(Ordering::SeqCst)), "{count:?}");
}
