//! A headless Chromium, driven by WebDriver (W3C) over plain HTTP.

use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for an answer of the driver.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one window. It ends with this value.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    version: String,
}

impl Browser {
    /// A browser with a window of this width and height, in pixels.
    pub(crate) fn start(width: u32, height: u32) -> Browser {
        let found = |names: &[&str]| names.iter().copied().find_map(in_path);
        let binary =
            found(&["chromium", "chromium-browser", "google-chrome"]).expect("Chromium is installed");
        let driver = found(&["chromedriver"]).expect("chromedriver is installed");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(driver);
        command
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut browser = Browser {
            driver: command.spawn().unwrap(),
            port,
            session: String::new(),
            version: String::new(),
        };
        browser.wait_for_driver();
        let options = json!({
            "binary": binary,
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--hide-scrollbars",
                format!("--window-size={width},{height}")],
        });
        let match_all = json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let wanted = json!({ "capabilities": { "alwaysMatch": match_all } });
        let answer = browser.request("POST", "/session", &wanted);
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        browser.session = text(&answer["sessionId"]);
        browser.version = text(&answer["capabilities"]["browserVersion"]);
        browser
    }

    /// The version of the browser.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    fn wait_for_driver(&self) {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "chromedriver does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// A request to the driver; the field `value` of its answer.
    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = if method == "POST" { body.to_string() } else { String::new() };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: \
            application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let answer = read_answer(&mut stream);
        let mut answer: Value =
            serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{path}: {error}: {answer}"));
        let value = answer["value"].take();
        assert!(value["error"].is_null(), "{method} {path}: {value}");
        value
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        self.request("POST", &format!("/session/{}/{command}", self.session), body)
    }

    /// A command of the DevTools protocol, with its result.
    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Gives the window this size in pixels, and light or dark colours.
    pub(crate) fn show_as(&self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": [scheme] }));
    }

    /// Processor time of the page so far, in milliseconds: on a busy machine the clock says nothing.
    #[allow(dead_code, reason = "not every test that has a browser measures")]
    pub(crate) fn processor_time(&self) -> f64 {
        self.devtools("Performance.enable", &json!({ "timeDomain": "threadTicks" }));
        let metrics = self.devtools("Performance.getMetrics", &json!({}));
        let all = metrics["metrics"].as_array().unwrap();
        let task = all.iter().find(|metric| metric["name"] == "TaskDuration");
        1000.0 * task.and_then(|metric| metric["value"].as_f64()).unwrap_or_else(|| panic!("{metrics}"))
    }

    /// Opens a file, at a fragment of its address (`#...`, or nothing).
    pub(crate) fn open(&self, file: &Path, fragment: &str) {
        // Another fragment of the same file alone would not load it again.
        self.post("url", &json!({ "url": "about:blank" }));
        self.post("url", &json!({ "url": format!("file://{}{fragment}", file.display()) }));
    }

    /// The value of a JavaScript expression.
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.post("execute/sync", &json!({ "script": format!("return {expression};"), "args": [] }))
    }

    /// The text of the first element that a selector finds, as it is shown.
    pub(crate) fn text(&self, selector: &str) -> String {
        let value = self.value(&format!("document.querySelector({}).textContent", json!(selector)));
        value.as_str().unwrap_or_else(|| panic!("{selector}: {value}")).to_owned()
    }

    /// Clicks the first element that a selector finds, as a user does: it has to be visible.
    pub(crate) fn click(&self, selector: &str) {
        let element = self.post("element", &json!({ "using": "css selector", "value": selector }));
        let id = element.as_object().and_then(|fields| fields.values().next()).and_then(Value::as_str);
        let id = id.unwrap_or_else(|| panic!("{selector}: {element}")).to_owned();
        self.post(&format!("element/{id}/click"), &json!({}));
    }

    /// Presses keys, one after another; special ones by their WebDriver code points.
    pub(crate) fn press(&self, keys: &str) {
        let steps = |key: char| {
            let key = key.to_string();
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        };
        let steps: Vec<Value> = keys.chars().flat_map(steps).collect();
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": steps }] }));
        // A page may draw what it shows in the next frame.
        let drawn =
            "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0))))";
        self.value(drawn);
    }

    /// Drags the mouse from the middle of one element to the middle of another.
    #[allow(dead_code, reason = "not every test that has a browser drags")]
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let element =
            |selector: &str| self.post("element", &json!({ "using": "css selector", "value": selector }));
        let moved = |selector: &str| {
            let origin = element(selector);
            json!({ "type": "pointerMove", "duration": 50, "origin": origin, "x": 0, "y": 0 })
        };
        let button = |action: &str| json!({ "type": action, "button": 0 });
        let actions = [moved(from), button("pointerDown"), moved(to), button("pointerUp")];
        let kind = json!({ "pointerType": "mouse" });
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": kind, "actions": actions });
        self.post("actions", &json!({ "actions": [mouse] }));
    }

    /// Messages on the console since the last call.
    #[allow(dead_code, reason = "not every test that has a browser reads its console")]
    pub(crate) fn console(&self) -> Vec<String> {
        let messages = self.post("se/log", &json!({ "type": "browser" }));
        messages.as_array().into_iter().flatten().map(|entry| entry["message"].to_string()).collect()
    }

    /// Writes a picture of the window as PNG, if `PLUMB_SCREENSHOTS` names a folder for pictures.
    pub(crate) fn screenshot(&self, name: &str) {
        let Some(folder) = std::env::var_os("PLUMB_SCREENSHOTS") else { return };
        let picture = self.request("GET", &format!("/session/{}/screenshot", self.session), &Value::Null);
        let bytes = base64(picture.as_str().unwrap());
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.request("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The path of a program in `PATH`.
fn in_path(name: &str) -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let file = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file());
    file.map(|file| file.display().to_string())
}

/// The body of an HTTP answer, which ends where its length says.
fn read_answer(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 1 << 16];
    loop {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "chromedriver has closed the connection");
        bytes.extend_from_slice(&buffer[..read]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        let length: usize = length.unwrap_or_else(|| panic!("an answer without a length: {head}"));
        if bytes.len() >= end + 4 + length {
            return String::from_utf8(bytes.split_off(end + 4)).unwrap();
        }
    }
}

/// Bytes from base64 with padding.
fn base64(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|&letter| letter != b'=').map(digit).collect();
    let group = |group: &[u8]| {
        let bits =
            group.iter().fold(0_u32, |bits, &digit| bits << 6 | u32::from(digit)) << (6 * (4 - group.len()));
        bits.to_be_bytes()[1..group.len()].to_vec()
    };
    letters.chunks(4).flat_map(group).collect()
}
