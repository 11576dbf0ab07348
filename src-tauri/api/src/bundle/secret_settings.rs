//! Which settings are secrets, and what remains of them in a bundle.

use serde_json::Value;

/// The key under which the settings of a machine are stored.
const SETTINGS: &str = "settings";

/// Removes secrets from a stored setting: the values of environment variables and of HTTP headers
/// that tool servers get. Their names stay, so that a person sees what to enter again.
pub(super) fn without_secrets(key: &str, mut value: Value) -> Value {
    if key == SETTINGS
        && let Some(servers) = value.get_mut("mcpServers").and_then(Value::as_array_mut)
    {
        for server in servers {
            for field in ["env", "headers"] {
                clear_values(server.pointer_mut(&format!("/transport/{field}")));
            }
        }
    }
    value
}

fn clear_values(field: Option<&mut Value>) {
    if let Some(values) = field.and_then(Value::as_object_mut) {
        for value in values.values_mut() {
            *value = Value::String(String::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::without_secrets;

    #[test]
    fn names_of_secrets_stay_and_their_values_go() {
        let server = |env: &str, header: &str| {
            json!({"defaultAgent": "claude", "mcpServers": [
                {"name": "a", "transport": {"kind": "stdio", "command": "a", "env": {"KEY": env}}},
                {"name": "b", "transport": {"kind": "http", "url": "https://b", "headers": {"Authorization": header}}},
            ]})
        };
        assert_eq!(
            without_secrets("settings", server("s3cret", "Bearer x")),
            server("", "")
        );
        let other = json!({"mcpServers": 1});
        assert_eq!(without_secrets("settings", other.clone()), other);
    }
}
