//! Which argument takes the id of what.

use serde_json::{Map, Value};

use crate::command;
use crate::operation::{Kind as Type, Operation, Parameter};
use crate::wait;

/// What an id is the id of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A series, by its title.
    Series,
    /// An episode, by its number within a series.
    Episode,
    /// A tag, by its label.
    Tag,
    /// A root folder, of which the path is due and not the id.
    RootPath,
    /// Anything else that has a name.
    Named(&'static Named),
}

/// Things with a name, all in one list.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    /// What one of them is called.
    pub what: &'static str,
    /// The operation that lists them.
    pub read: &'static str,
    /// The member with the name.
    pub label: &'static str,
}

macro_rules! named {
    ($($id:ident: $what:literal, $read:literal, $label:literal;)*) => {
        $(const $id: Kind = Kind::Named(&Named { what: $what, read: $read, label: $label });)*
    };
}

named! {
    QUALITY_PROFILE: "quality profile", "list_quality_profiles", "name";
    ROOT_FOLDER: "root folder", "list_root_folders", "path";
    CUSTOM_FORMAT: "custom format", "list_custom_formats", "name";
    LANGUAGE: "language", "list_languages", "name";
    INDEXER: "indexer", "list_indexers", "name";
    DOWNLOAD_CLIENT: "download client", "list_download_clients", "name";
    IMPORT_LIST: "import list", "list_import_lists", "name";
}

impl Kind {
    /// By the name of an argument or a member, in lower case and without `_`; `parent` is the name
    /// of what it is in.
    pub fn of_member(name: &str, parent: Option<&str>) -> Option<Self> {
        match name {
            "series" | "seriesid" | "seriesids" => Some(Kind::Series),
            "episode" | "episodeid" | "episodeids" => Some(Kind::Episode),
            "tags" | "tagid" | "tagids" => Some(Kind::Tag),
            "rootfolderpath" | "destinationrootfolder" => Some(Kind::RootPath),
            "qualityprofile" | "qualityprofileid" | "qualityprofileids" => Some(QUALITY_PROFILE),
            "indexerid" | "indexerids" => Some(INDEXER),
            "downloadclientid" | "downloadclientids" => Some(DOWNLOAD_CLIENT),
            "importlistid" | "importlistids" | "definitionid" => Some(IMPORT_LIST),
            "languages" | "languageid" | "languageids" => Some(LANGUAGE),
            "customformatid" | "customformatids" => Some(CUSTOM_FORMAT),
            "format" if parent.is_some_and(|parent| parent.starts_with("formatItems")) => Some(CUSTOM_FORMAT),
            _ => None,
        }
    }
}

/// By the path of an operation: what its `id` is the id of.
pub fn of_path(path: &str) -> Option<Kind> {
    let mut segments = path.strip_prefix("/api/v3/")?.split('/');
    match segments.next()? {
        "series" => Some(Kind::Series),
        "episode" | "calendar" | "wanted" => Some(Kind::Episode),
        "tag" => Some(Kind::Tag),
        "qualityprofile" => Some(QUALITY_PROFILE),
        "rootfolder" => Some(ROOT_FOLDER),
        "customformat" => Some(CUSTOM_FORMAT),
        "language" => Some(LANGUAGE),
        "indexer" => Some(INDEXER),
        "downloadclient" => Some(DOWNLOAD_CLIENT),
        "importlist" => Some(IMPORT_LIST),
        _ => None,
    }
}

/// Whether to say of an argument that takes one id that it takes a name as well.
///
/// Where episodes are only listed by date or by what is missing it goes without saying: every
/// tool's schema is paid for in every conversation.
pub fn takes_name(operation: &Operation, parameter: &Parameter) -> bool {
    let kind = match folded(parameter.name).as_str() {
        "id" => of_path(operation.path).filter(|_| !["calendar", "wanted"].contains(&operation.group)),
        name => Kind::of_member(name, None),
    };
    parameter.kind == Type::Integer && kind.is_some()
}

/// Whether a member of a body is an id: a command has one parameter of such a name that is the
/// download's own text.
pub fn is_id_in(operation: &Operation, members: &Map<String, Value>, name: &str) -> bool {
    if operation.name != wait::OPERATION {
        return true;
    }
    let named = members.iter().find(|(member, _)| folded(member) == "name").and_then(|(_, name)| name.as_str());
    let parameter = named
        .and_then(command::find)
        .and_then(|command| command.parameters.iter().find(|one| folded(one.name) == folded(name)));
    parameter.is_none_or(|parameter| parameter.type_name.starts_with("integer"))
}

/// A name in lower case and without `_`.
pub fn folded(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}
