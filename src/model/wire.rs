//! Two macros that keep a value's spellings in one place: `wire_enum!` for word lists and `wire_string!` for types that
//! are one string on both faces. Neither decides anything.

/// Defines an enum whose words are the same on the command line, in JSON and in the schema.
///
/// Each variant is written `Name = "word"`, with extra words that only the terminal takes after `|`. Doc comments on the
/// variants become the notes in help and schema.
#[macro_export]
macro_rules! wire_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal $(| $alias:literal)* ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $( $(#[doc = $doc])+ $variant ),+ }

        impl $name {
            /// Every value, in the order of the definition.
            pub const ALL: &'static [$name] = &[$( $name::$variant ),+];

            /// The word that stands for this value on every face.
            pub const fn word(self) -> &'static str {
                match self { $( $name::$variant => $word ),+ }
            }

            /// The value that `word` stands for in JSON and in the journal.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|v| v.word() == word)
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }
        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(s: &str) -> Result<Self, String> {
                match s {
                    $( $word $(| $alias)* => Ok($name::$variant), )+
                    _ => Err(format!("not one of {}", [$( $word ),+].join(", "))),
                }
            }
        }
        impl clap::ValueEnum for $name {
            fn value_variants<'a>() -> &'a [Self] { Self::ALL }
            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                Some(match self {
                    $( $name::$variant => clap::builder::PossibleValue::new($word)
                        .aliases({
                            const ALIASES: &[&str] = &[$( $alias ),*];
                            ALIASES.iter().copied()
                        })
                        .help(concat!($( $doc ),+).trim()), )+
                })
            }
        }
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.word())
            }
        }
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let s = <std::borrow::Cow<'de, str>>::deserialize(d)?;
                Self::from_word(&s).ok_or_else(|| {
                    serde::de::Error::custom(format!("{} is not one of {}", $crate::model::quoted(&s), [$( $word ),+].join(", ")))
                })
            }
        }
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn inline_schema() -> bool { true }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$( $word ),+] })
            }
        }
    };
}

/// Serde and schema for a type that is written with `Display` and read with `FromStr`, the same on every face.
#[macro_export]
macro_rules! wire_string {
    ($name:ty, $title:literal, $schema:tt) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let s = <std::borrow::Cow<'de, str>>::deserialize(d)?;
                s.parse().map_err(serde::de::Error::custom)
            }
        }
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $title.into()
            }
            fn inline_schema() -> bool {
                true
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}
