//! The fake services on the session bus, and the requests to the tray item.

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value as Json, json};
use zbus::blocking::{Connection, Proxy, connection};
use zbus::interface;
use zbus::message::Header;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Structure, Value};

const WATCHER: &str = "org.kde.StatusNotifierWatcher";
const NOTICES: &str = "org.freedesktop.Notifications";
const NOTICES_PATH: &str = "/org/freedesktop/Notifications";

/// What the window has sent over the bus.
#[derive(Default)]
struct Seen {
    /// The tray item's bus name and object path.
    item: Option<(String, String)>,
    notices: Vec<Json>,
}

type Shared = Arc<Mutex<Seen>>;

fn lock(seen: &Shared) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// <https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/StatusNotifierWatcher/>
struct Watcher(Shared);

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, service: String, #[zbus(header)] header: Header<'_>) {
        let sender = header.sender().map(ToString::to_string).unwrap_or_default();
        // Some clients pass a service name, others the path of their item.
        let path = if service.starts_with('/') {
            service
        } else {
            "/StatusNotifierItem".to_owned()
        };
        lock(&self.0).item = Some((sender, path));
    }

    fn register_status_notifier_host(&self, _service: String) {}

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        lock(&self.0)
            .item
            .iter()
            .map(|(sender, path)| format!("{sender}{path}"))
            .collect()
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }
}

/// <https://specifications.freedesktop.org/notification-spec/latest/protocol.html>
struct Notices(Shared);

#[interface(name = "org.freedesktop.Notifications")]
impl Notices {
    #[expect(
        clippy::too_many_arguments,
        reason = "the specification defines these parameters"
    )]
    fn notify(
        &self,
        _app: String,
        _replaces: u32,
        icon: String,
        summary: String,
        body: String,
        actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        _timeout: i32,
    ) -> u32 {
        let mut seen = lock(&self.0);
        let id = u32::try_from(seen.notices.len() + 1).unwrap_or(u32::MAX);
        let notice =
            json!({ "id": id, "icon": icon, "title": summary, "body": body, "actions": actions });
        seen.notices.push(notice);
        id
    }

    fn close_notification(&self, _id: u32) {}

    fn get_capabilities(&self) -> Vec<String> {
        ["actions", "body", "body-markup"]
            .map(str::to_owned)
            .to_vec()
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        let [name, vendor, version, specification] =
            ["played", "Baton", "1", "1.2"].map(str::to_owned);
        (name, vendor, version, specification)
    }
}

/// Serves until the standard input ends.
pub(crate) fn serve() -> Result<(), Box<dyn Error>> {
    let seen = Shared::default();
    let bus = connection::Builder::session()?
        .serve_at("/StatusNotifierWatcher", Watcher(Arc::clone(&seen)))?
        .serve_at(NOTICES_PATH, Notices(Arc::clone(&seen)))?
        .name(WATCHER)?
        .name(NOTICES)?
        .build()?;
    write_answer(&json!({ "ready": true }))?;
    for line in stdin().lock().lines() {
        let request: Json = serde_json::from_str(&line?)?;
        // Errors are sent as answers: tests retry until their timeout.
        let answer = answer(&bus, &seen, &request)
            .unwrap_or_else(|error| json!({ "error": error.to_string() }));
        write_answer(&answer)?;
    }
    Ok(())
}

fn write_answer(answer: &Json) -> std::io::Result<()> {
    writeln!(stdout(), "{answer}")?;
    stdout().flush()
}

fn answer(bus: &Connection, seen: &Shared, request: &Json) -> Result<Json, Box<dyn Error>> {
    if let Some(number) = request["press"].as_u64() {
        let pressed = (u32::try_from(number)?, "default");
        bus.emit_signal(
            None::<&str>,
            NOTICES_PATH,
            NOTICES,
            "ActionInvoked",
            &pressed,
        )?;
        return Ok(json!({ "pressed": number }));
    }
    if request.get("notices").is_some() {
        return Ok(json!({ "notices": lock(seen).notices }));
    }
    let (service, path) = lock(seen)
        .item
        .clone()
        .ok_or("no tray item is registered")?;
    let item = Proxy::new(bus, service.clone(), path, "org.kde.StatusNotifierItem")?;
    let menu: OwnedObjectPath = item.get_property("Menu")?;
    let menu = Proxy::new(bus, service, menu, "com.canonical.dbusmenu")?;
    let rows = rows(&menu)?;
    match request["choose"].as_str() {
        Some(label) => {
            let row = rows
                .iter()
                .find(|row| row.label.starts_with(label))
                .ok_or("no such menu entry")?;
            let event = (row.id, "clicked", Value::from(0_i32), 0_u32);
            menu.call_method("Event", &event)?;
            Ok(json!({ "chosen": row.label }))
        }
        None => Ok(json!({
            "icon": item.get_property::<String>("IconName")?,
            "label": item.get_property::<String>("XAyatanaLabel").unwrap_or_default(),
            "rows": rows.iter().map(|row| json!({ "label": row.label, "enabled": row.enabled })).collect::<Vec<_>>(),
        })),
    }
}

/// An entry of the tray menu.
struct Row {
    id: i32,
    label: String,
    enabled: bool,
}

/// Returns the labeled entries of the menu, in order.
fn rows(menu: &Proxy<'_>) -> Result<Vec<Row>, Box<dyn Error>> {
    type Node = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);
    let wanted: Vec<&str> = Vec::new();
    let (_, (_, _, children)): (u32, Node) = menu.call("GetLayout", &(0_i32, -1_i32, wanted))?;
    let mut rows = Vec::new();
    for child in children {
        let fields = Structure::try_from(child)?.into_fields();
        let mut fields = fields.into_iter();
        let (Some(id), Some(properties)) = (fields.next(), fields.next()) else {
            continue;
        };
        let properties = HashMap::<String, Value<'_>>::try_from(properties)?;
        let Some(Value::Str(label)) = properties.get("label") else {
            continue;
        };
        let enabled = !matches!(properties.get("enabled"), Some(Value::Bool(false)));
        // A double underscore is a literal one; a single one marks an access key.
        let label = label
            .replace("__", "\0")
            .replace('_', "")
            .replace('\0', "_");
        rows.push(Row {
            id: i32::try_from(id)?,
            label,
            enabled,
        });
    }
    Ok(rows)
}
