//! Types that stay open: structs that keep members they do not know, enums
//! that keep values they do not know.
//!
//! The generated types are plain structs and enums; the two macros here give
//! them their way in and out of JSON. serde's derive could do the same with
//! `flatten` and `untagged`, but both buffer the whole object first, which
//! costs time on lists of megabytes and loses the place of an error.

/// Serialization for a struct whose listed fields are all `Option<_>` and
/// which has a field `extra: serde_json::Map<String, serde_json::Value>`.
///
/// - A member without a field goes to `extra` and is written back.
/// - An explicit null on a field is kept as a null in `extra` under the
///   member's name and is written back as null, unless the field has been
///   given a value since.
/// - A member named twice counts as its last occurrence.
macro_rules! open_object {
    ($name:ident { $($field:ident : $wire:literal),* $(,)? }) => {
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                use ::serde::ser::SerializeMap as _;

                let mut map = serializer.serialize_map(None)?;
                $(
                    if let ::std::option::Option::Some(value) = &self.$field {
                        map.serialize_entry($wire, value)?;
                    }
                )*
                for (name, value) in &self.extra {
                    let has_field_value = match name.as_str() {
                        $($wire => self.$field.is_some(),)*
                        _ => false,
                    };
                    if !has_field_value {
                        map.serialize_entry(name, value)?;
                    }
                }
                map.end()
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                // Variants are named like the fields, so none can be taken twice.
                #[allow(non_camel_case_types)]
                enum Member {
                    $($field,)*
                    Extra(::std::string::String),
                }

                struct MemberVisitor;

                impl ::serde::de::Visitor<'_> for MemberVisitor {
                    type Value = Member;

                    fn expecting(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                        f.write_str("the name of a member")
                    }

                    fn visit_str<E: ::serde::de::Error>(
                        self,
                        name: &str,
                    ) -> ::std::result::Result<Member, E> {
                        ::std::result::Result::Ok(match name {
                            $($wire => Member::$field,)*
                            _ => Member::Extra(name.to_owned()),
                        })
                    }
                }

                impl<'de> ::serde::Deserialize<'de> for Member {
                    fn deserialize<D: ::serde::Deserializer<'de>>(
                        deserializer: D,
                    ) -> ::std::result::Result<Self, D::Error> {
                        deserializer.deserialize_identifier(MemberVisitor)
                    }
                }

                struct ObjectVisitor;

                impl<'de> ::serde::de::Visitor<'de> for ObjectVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                        f.write_str(concat!("an object (", stringify!($name), ")"))
                    }

                    fn visit_map<A: ::serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> ::std::result::Result<$name, A::Error> {
                        let mut object = $name {
                            $($field: ::std::option::Option::None,)*
                            extra: ::serde_json::Map::new(),
                        };
                        while let ::std::option::Option::Some(member) = map.next_key()? {
                            match member {
                                $(
                                    Member::$field => {
                                        object.$field = map.next_value()?;
                                        if object.$field.is_none() {
                                            object.extra.insert(
                                                $wire.to_owned(),
                                                ::serde_json::Value::Null,
                                            );
                                        }
                                    }
                                )*
                                Member::Extra(name) => {
                                    object.extra.insert(name, map.next_value()?);
                                }
                            }
                        }
                        ::std::result::Result::Ok(object)
                    }
                }

                deserializer.deserialize_map(ObjectVisitor)
            }
        }
    };
}

/// Conversions and serialization for an enum that has, beside the listed
/// variants, `Unrecognized(String)` and `UnrecognizedNumber(i64)`.
///
/// The server reads names in any letter case and writes a value without a name
/// as a number; so does this. What has no variant is kept and written back as
/// it came.
macro_rules! open_enum {
    ($name:ident { $($variant:ident : $wire:literal),* $(,)? }) => {
        impl $name {
            /// The values known to this version, as Sonarr spells them.
            pub const NAMES: &'static [&'static str] = &[$($wire),*];

            /// The known value spelled like `text`, in any letter case.
            fn known(text: &str) -> ::std::option::Option<Self> {
                match text {
                    $($wire => return ::std::option::Option::Some(Self::$variant),)*
                    _ => {}
                }
                $(
                    if text.eq_ignore_ascii_case($wire) {
                        return ::std::option::Option::Some(Self::$variant);
                    }
                )*
                ::std::option::Option::None
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $(Self::$variant => f.write_str($wire),)*
                    Self::Unrecognized(text) => f.write_str(text),
                    Self::UnrecognizedNumber(number) => ::std::fmt::Display::fmt(number, f),
                }
            }
        }

        impl ::std::convert::From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::known(text).unwrap_or_else(|| Self::Unrecognized(text.to_owned()))
            }
        }

        impl ::std::convert::From<::std::string::String> for $name {
            fn from(text: ::std::string::String) -> Self {
                Self::known(&text).unwrap_or(Self::Unrecognized(text))
            }
        }

        impl ::std::convert::From<&::std::string::String> for $name {
            fn from(text: &::std::string::String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = ::std::convert::Infallible;

            fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                ::std::result::Result::Ok(Self::from(text))
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant => serializer.serialize_str($wire),)*
                    Self::Unrecognized(text) => serializer.serialize_str(text),
                    Self::UnrecognizedNumber(number) => serializer.serialize_i64(*number),
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                struct ValueVisitor;

                impl ::serde::de::Visitor<'_> for ValueVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                        f.write_str(concat!("a name or a number (", stringify!($name), ")"))
                    }

                    fn visit_str<E: ::serde::de::Error>(
                        self,
                        text: &str,
                    ) -> ::std::result::Result<$name, E> {
                        ::std::result::Result::Ok($name::from(text))
                    }

                    fn visit_string<E: ::serde::de::Error>(
                        self,
                        text: ::std::string::String,
                    ) -> ::std::result::Result<$name, E> {
                        ::std::result::Result::Ok($name::from(text))
                    }

                    fn visit_i64<E: ::serde::de::Error>(
                        self,
                        number: i64,
                    ) -> ::std::result::Result<$name, E> {
                        ::std::result::Result::Ok($name::UnrecognizedNumber(number))
                    }

                    fn visit_u64<E: ::serde::de::Error>(
                        self,
                        number: u64,
                    ) -> ::std::result::Result<$name, E> {
                        i64::try_from(number).map($name::UnrecognizedNumber).map_err(|_| {
                            E::invalid_value(::serde::de::Unexpected::Unsigned(number), &self)
                        })
                    }
                }

                deserializer.deserialize_any(ValueVisitor)
            }
        }

        // Not a closed `enum`: values outside the list are valid and are kept.
        #[cfg(feature = "json-schema")]
        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($name)).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({
                    "type": ["string", "integer"],
                    "examples": Self::NAMES,
                })
            }
        }
    };
}

pub(crate) use {open_enum, open_object};

#[cfg(test)]
mod tests;
