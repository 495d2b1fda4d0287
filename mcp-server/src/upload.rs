//! The one operation whose argument is a file.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use sonarr_client::{Client, Error};

use crate::operation::Reply;

/// Base64 as models and tools write it: with or without padding.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Restores a backup that came along as base64.
///
/// # Errors
/// When the content is no base64 or the name is refused, before anything is sent; else what the
/// SDK reports.
pub async fn restore(client: &Client, file_name: String, content: String) -> Result<Reply, Error> {
    let bytes = decode(&content)?;
    Reply::json(client.restore_backup_upload(&file_name, bytes).await?)
}

/// Lines and spaces within base64 are layout.
fn decode(content: &str) -> Result<Vec<u8>, Error> {
    let packed: String = content.split_ascii_whitespace().collect();
    LENIENT
        .decode(packed)
        .map_err(|error| Error::InvalidRequest(format!("`content` must be the file's bytes in base64 ({error})")))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn base64_may_be_broken_into_lines_and_lack_its_padding() {
        for content in ["UEsDBA==", "UEsDBA", "UEs\r\n DBA=="] {
            assert_eq!(decode(content).unwrap(), b"PK\x03\x04");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for content in ["{}", "UEsDB*==", "data:application/zip;base64,UEsDBA=="] {
            let error = decode(content).unwrap_err().to_string();
            assert!(error.contains("base64"), "{error}");
        }
    }
}
