//! Folders and files: browsing, root folders, disks, previews of renames, images.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{Call, crud};
use crate::disk::{self, Drive};
use crate::http::{Failure, Reply, Rule, rule, rules};
use crate::state::{Row, State, int, iso, text};

pub(super) fn disk_space(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let write = |drive: &Drive| json!({"path": drive.path, "label": drive.label, "freeSpace": drive.free, "totalSpace": drive.total});
    Ok(Reply::ok(call.state.disk.drives.iter().map(write).collect()))
}

/// The folder that a path means: with a trailing slash itself, without one the part before the last slash.
fn folder_part(path: &str, whole: bool) -> String {
    if path.is_empty() {
        return "/".to_owned();
    }
    if path.ends_with('/') || whole {
        return if path == "/" { path.to_owned() } else { path.trim_end_matches('/').to_owned() };
    }
    match disk::parent_of(path) {
        Some("") | None => "/".to_owned(),
        Some(parent) => parent.to_owned(),
    }
}

/// Folders of series are there without being listed one by one.
fn series_folders(state: &State, folder: &str) -> Vec<String> {
    let folder = folder.trim_end_matches('/');
    state
        .library
        .iter()
        .map(|(_, entry)| text(&entry.row, "path"))
        .filter(|path| disk::parent_of(path) == Some(folder))
        .map(str::to_owned)
        .collect()
}

pub(super) fn browse(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let files = query.flag("includeFiles", false)?;
    let whole = query.flag("allowFoldersWithoutTrailingSlashes", false)?;
    let folder = folder_part(query.text("path").unwrap_or_default(), whole);
    let state = &*call.state;
    let time = iso(state.started - TimeDelta::days(9));
    let mut paths = state.disk.folders_in(&folder);
    paths.extend(series_folders(state, &folder));
    paths.sort();
    paths.dedup();
    let directories: Vec<Value> = paths
        .iter()
        .map(|path| json!({"type": "folder", "name": disk::name_of(path), "path": format!("{path}/"), "size": 0, "lastModified": time}))
        .collect();
    let files: Vec<Value> = if files {
        let found = state.disk.files_in(&folder).into_iter();
        found
            .map(|(path, size)| {
                let name = disk::name_of(&path).to_owned();
                let extension = name.rsplit_once('.').map(|(_, extension)| format!(".{extension}"));
                let mut file = json!({"type": "file", "name": name, "path": path, "size": size, "lastModified": time});
                if let (Some(extension), Some(row)) = (extension, file.as_object_mut()) {
                    row.insert("extension".into(), extension.into());
                }
                file
            })
            .collect()
    } else {
        Vec::new()
    };
    let mut out = Row::new();
    if folder != "/" {
        let parent = disk::parent_of(&folder).unwrap_or_default();
        out.insert("parent".into(), if parent.is_empty() { "/".into() } else { format!("{parent}/").into() });
    }
    out.insert("directories".into(), directories.into());
    out.insert("files".into(), files.into());
    Ok(Reply::ok(Value::Object(out)))
}

/// Whatever is no file counts as a folder, even what is not there.
pub(super) fn kind(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let path = call.query().text("path").unwrap_or_default();
    let file = call.state.disk.files.contains_key(path) || library_file(call.state, path);
    Ok(Reply::ok(json!({"type": if file { "file" } else { "folder" }})))
}

fn library_file(state: &State, path: &str) -> bool {
    disk::is_video(path)
        && state.library.iter().any(|(_, entry)| {
            let base = text(&entry.row, "path");
            path.strip_prefix(base).and_then(|rest| rest.strip_prefix('/')).is_some_and(|rest| {
                entry.files.iter().any(|file| !file.gone && state.relative_path(entry, file) == rest)
            })
        })
}

/// Every video below a folder; none when the folder is not there.
pub(super) fn media_files(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let folder = call.query().text("path").unwrap_or_default().trim_end_matches('/').to_owned();
    let state = &*call.state;
    if !is_there(state, &folder) {
        return Ok(Reply::ok(json!([])));
    }
    let mut paths: Vec<String> =
        state.disk.files_below(&folder).into_iter().map(|(path, _)| path).filter(|path| disk::is_video(path)).collect();
    for (_, entry) in state.library.iter() {
        let base = text(&entry.row, "path");
        if base == folder || base.strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/')) {
            let there = entry.files.iter().filter(|file| !file.gone);
            paths.extend(there.map(|file| format!("{base}/{}", state.relative_path(entry, file))));
        }
    }
    paths.sort();
    let list = paths.iter().map(|path| {
        let relative = path.strip_prefix(&format!("{folder}/")).unwrap_or(path);
        json!({"path": path, "relativePath": relative, "name": disk::name_of(path)})
    });
    Ok(Reply::ok(list.collect()))
}

/// Whether a folder is there: those of series are, with their root folder.
fn is_there(state: &State, folder: &str) -> bool {
    let of_series = |row: &Row| {
        let root = text(row, "rootFolderPath");
        disk::is_within(folder, text(row, "path")) && (root.is_empty() || state.disk.folder_exists(root))
    };
    state.disk.folder_exists(folder) || state.library.iter().any(|(_, entry)| of_series(&entry.row))
}

fn root_folder_json(state: &State, row: &Row) -> Value {
    let path = text(row, "path");
    let accessible = state.disk.folder_exists(path);
    let mut out = Row::new();
    out.insert("path".into(), path.into());
    out.insert("accessible".into(), accessible.into());
    if accessible {
        if let Some(drive) = state.disk.drive_of(path) {
            out.insert("freeSpace".into(), drive.free.into());
            if state.next_version {
                out.insert("totalSpace".into(), drive.total.into());
            }
        }
        let used = series_folders(state, path);
        let unmapped = state.disk.folders_in(path).into_iter().filter(|folder| !used.contains(folder)).map(|folder| {
            let name = disk::name_of(&folder);
            json!({"name": name, "path": folder, "relativePath": name})
        });
        out.insert("unmappedFolders".into(), unmapped.collect());
    }
    for (name, value) in row {
        if name.starts_with("nextVersion") {
            out.insert(name.clone(), value.clone());
        }
    }
    out.insert("id".into(), int(row, "id").into());
    Value::Object(out)
}

pub(super) fn root_folders(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let state = &*call.state;
    Ok(Reply::ok(state.table("rootfolder").rows().map(|row| root_folder_json(state, row)).collect()))
}

/// `timeout` is read by hand: a word that is no flag is an exception, not a refusal.
fn timeout(call: &Call<'_>) -> Result<(), Failure> {
    call.query()
        .flag("timeout", true)
        .map(|_| ())
        .map_err(|_| Failure::internal("System.FormatException", "String was not recognized as a valid Boolean."))
}

pub(super) fn root_folder(call: &mut Call<'_>) -> Result<Reply, Failure> {
    timeout(call)?;
    match call.state.row("rootfolder", call.id()) {
        Some(row) => Ok(Reply::ok(root_folder_json(call.state, row))),
        None => Err(call.not_found()),
    }
}

/// Only the path is read.
pub(super) fn add_root_folder(call: &mut Call<'_>) -> Result<Reply, Failure> {
    timeout(call)?;
    let body = call.object();
    let path = text(&body, "path").to_owned();
    rules(root_folder_rules(call.state, &path))?;
    let given = int(&body, "id");
    if given != 0 {
        return Err(call.invalid_operation(format!("Can't insert model with existing ID {given}")));
    }
    let mut row = body;
    row.retain(|name, _| name == "path" || name.starts_with("nextVersion"));
    let id = call.state.table_mut("rootfolder").insert(row);
    let resource = crud::resource(call)?;
    let row = call.state.row(resource.path, id).ok_or_else(|| Failure::model(resource.name, id))?;
    let location = format!("{}/api/v3/rootfolder/{id}", call.state.url_base);
    Ok(Reply::created(root_folder_json(call.state, row), location))
}

fn root_folder_rules(state: &State, path: &str) -> Vec<Rule> {
    let plain = path.trim_end_matches('/');
    let fail = |code: &'static str, message: String| vec![rule("Path", code, message, path.into())];
    if !path.starts_with('/') {
        return fail("PathValidator", format!("Invalid Path: '{path}'"));
    }
    if state.table("rootfolder").rows().any(|row| text(row, "path").trim_end_matches('/') == plain) {
        return fail("RootFolderValidator", format!("Path '{path}' is already configured as a root folder"));
    }
    if plain == state.setting("config/mediamanagement", "recycleBin").as_str().unwrap_or_default() {
        return fail("RecycleBinValidator", format!("Path '{path}' is the configured recycle bin folder"));
    }
    if ["/app", "/config"].contains(&plain) {
        return fail("StartupFolderValidator", format!("Path '{path}' cannot be an ancestor of the start up folder"));
    }
    if ["/bin", "/boot", "/etc", "/lib", "/usr", "/var", "/proc", "/sys"].contains(&plain) {
        return fail("SystemFolderValidator", format!("Path '{path}' is a system folder"));
    }
    if !state.disk.folder_exists(path) && series_folders(state, plain).is_empty() {
        return fail("PathExistsValidator", format!("Path '{path}' does not exist"));
    }
    Vec::new()
}

pub(super) fn rename_preview(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let series = call.query().int("seriesId")?.unwrap_or(0);
    let season = call.query().int("seasonNumber")?;
    let state = &*call.state;
    Ok(Reply::ok(Value::Array(renames(state, series, season)?)))
}

/// What a coming version answers for several series at once.
pub(super) fn rename_preview_of_several(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let mut list = Vec::new();
    for series in call.query().ints("seriesIds")? {
        list.extend(renames(call.state, series, None)?);
    }
    Ok(Reply::ok(Value::Array(list)))
}

/// The renames of a series' files; their ids are written by a coming version only.
fn renames(state: &State, series: i64, season: Option<i64>) -> Result<Vec<Value>, Failure> {
    let Some(entry) = state.library.get(series) else { return Err(Failure::model("Series", series)) };
    let files = entry.files.iter().filter(|file| season.is_none_or(|season| file.season == season));
    let list = files.filter_map(|file| {
        let (old, new) = (state.relative_path(entry, file), crate::naming::relative_path(state, entry, file));
        let numbers: Vec<i64> = entry.episodes_of_file(file.id).map(|episode| episode.number).collect();
        let mut row = crate::state::object(json!({
            "seriesId": series, "seasonNumber": file.season, "episodeNumbers": numbers, "episodeFileId": file.id,
            "existingPath": old, "newPath": new,
        }));
        if state.next_version {
            row.insert("id".into(), file.id.into());
        }
        (old != new).then_some(Value::Object(row))
    });
    Ok(list.collect())
}

/// A picture of one grey pixel.
const PNG: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00, 0x0a, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81, 0x77, 0xcd, 0x72, 0xb6, 0x00, 0x00,
    0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// Posters, banners, fanart and logos of a series; a resized name gives the full size.
pub(super) fn media_cover(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let series: i64 = call.parameter("seriesId").parse().unwrap_or(0);
    let name = call.parameter("filename").to_ascii_lowercase();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name.as_str(), ""));
    let kind = stem.split('-').next().unwrap_or_default();
    let known =
        matches!((kind, extension), ("poster" | "banner" | "fanart", "jpg") | ("clearlogo", "png") | ("season", "jpg"));
    if !known || call.state.library.get(series).is_none() {
        return Err(Failure::NotFoundProblem);
    }
    let reply = if extension == "png" { Reply::bytes("image/png", PNG) } else { Reply::bytes("image/jpeg", jpeg()) };
    Ok(reply.with("Cache-Control", "max-age=31536000, public").with("Last-Modified", "Fri, 26 Jun 2026 17:21:08 GMT"))
}

/// A JPEG of eight by eight grey pixels.
fn jpeg() -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10];
    bytes.extend_from_slice(b"JFIF\0");
    bytes.extend_from_slice(&[0x01, 0x01, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00]);
    // One table of quantisation: every step is one.
    bytes.extend_from_slice(&[0xff, 0xdb, 0x00, 0x43, 0x00]);
    bytes.extend_from_slice(&[0x01; 64]);
    // A frame of 8 by 8 samples, one component.
    bytes.extend_from_slice(&[0xff, 0xc0, 0x00, 0x0b, 0x08, 0x00, 0x08, 0x00, 0x08, 0x01, 0x01, 0x11, 0x00]);
    // Two tables of codes, each with one code of one bit: no difference, end of block.
    for class in [0x00, 0x10] {
        bytes.extend_from_slice(&[0xff, 0xc4, 0x00, 0x14, class, 0x01]);
        bytes.extend_from_slice(&[0x00; 16]);
    }
    bytes.extend_from_slice(&[0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3f, 0x00, 0x3f, 0xff, 0xd9]);
    bytes
}
