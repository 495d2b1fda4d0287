//! The one operation with a file in its request.

use reqwest::multipart::{Form, Part};
use reqwest::{Body, Method};

use crate::{Client, Error, ResponseValue, exchange, types};

/// The kinds of backup file Sonarr restores as it should.
const ACCEPTED: [&str; 2] = ["zip", "db"];

impl Client {
    /// Uploads a backup and restores it (`POST /api/v3/system/backup/restore/upload`).
    ///
    /// `config.xml` is overwritten at once, the database at the next start of
    /// Sonarr; the answer says whether a restart is due.
    ///
    /// `file_name` decides how Sonarr reads the file: `.zip` for a backup made
    /// by Sonarr, `.db` for a bare database. `contents` is anything that makes
    /// a request body: bytes, or a stream by [`reqwest::Body::wrap_stream`].
    /// Sonarr 4 takes at most 500 MB. The client's time-out counts for the
    /// whole upload.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] for another extension: Sonarr refuses most,
    /// but would take an `.xml` file for a database.
    pub async fn restore_backup_upload(
        &self,
        file_name: &str,
        contents: impl Into<Body>,
    ) -> Result<ResponseValue<types::RestartRequired>, Error> {
        let extension = file_name.rsplit_once('.').map(|(_, extension)| extension);
        if !extension.is_some_and(|e| ACCEPTED.iter().any(|a| a.eq_ignore_ascii_case(e))) {
            return Err(Error::InvalidRequest(
                "the backup's file name must end in .zip or .db, \
                 which tells Sonarr what the file is"
                    .to_owned(),
            ));
        }
        // Sonarr wants one part and does not look at its name.
        let part = Part::stream(contents).file_name(file_name.to_owned()).mime_str("application/octet-stream")?;
        let url = format!("{}/api/v3/system/backup/restore/upload", self.baseurl);
        let request = self.client.request(Method::POST, url).multipart(Form::new().part("restore", part)).build()?;
        exchange::json(self, request, "restore_backup_upload").await
    }
}

#[cfg(test)]
mod tests {
    use httpmock::prelude::*;

    use super::*;

    #[tokio::test]
    async fn the_file_goes_up_as_one_part() {
        let server = MockServer::start_async().await;
        let upload = server
            .mock_async(|when, then| {
                when.method(POST)
                    .path("/base/api/v3/system/backup/restore/upload")
                    .header("X-Api-Key", "key")
                    .header_includes("content-type", "multipart/form-data; boundary=")
                    .body_includes("filename=\"Backup 1.ZIP\"")
                    .body_includes("PK-content");
                then.status(200).header("content-type", "application/json").body(r#"{"restartRequired":true,"new":1}"#);
            })
            .await;
        let client = Client::connect(&server.url("/base"), "key").unwrap();
        let answer = client.restore_backup_upload("Backup 1.ZIP", "PK-content").await.unwrap();
        assert_eq!(answer.restart_required, Some(true));
        assert!(answer.extra.contains_key("new"));
        upload.assert_async().await;
    }

    #[tokio::test]
    async fn a_file_sonarr_would_mishandle_is_not_sent() {
        let client = Client::connect("http://192.0.2.1", "key").unwrap();
        for name in ["config.xml", "backup", "zip", "backup.zip.xml", "", "x."] {
            let error = client.restore_backup_upload(name, Vec::new()).await.unwrap_err();
            assert!(matches!(error, Error::InvalidRequest(_)), "{name}: {error}");
            assert!(error.to_string().contains(".zip or .db"), "{error}");
        }
    }
}
