//! Finds a client's loopback socket, which identifies a process below a keeper whichever token it
//! presents.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Returns the inode of the socket at `peer` that is connected to `own`. Returns `None` if it isn't
/// visible here, such as in another network namespace.
pub(crate) fn socket_inode(peer: SocketAddr, own: SocketAddr) -> Option<u64> {
    ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .find_map(|table| find_inode(&fs::read_to_string(table).ok()?, peer, own))
}

fn find_inode(table: &str, peer: SocketAddr, own: SocketAddr) -> Option<u64> {
    let rows = table
        .lines()
        .skip(1)
        .map(|row| row.split_ascii_whitespace().collect::<Vec<_>>());
    let mut matching = rows.filter(|row| {
        let address = |at: usize| row.get(at).and_then(|text| parse_hex_address(text));
        address(1) == Some(canonical(peer)) && address(2) == Some(canonical(own))
    });
    matching
        .next()?
        .get(9)?
        .parse()
        .ok()
        .filter(|inode| *inode != 0)
}

fn canonical(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

/// Parses an address such as `0100007F:1F90`: groups of four bytes in native byte order, then the
/// port.
fn parse_hex_address(text: &str) -> Option<SocketAddr> {
    let (address, port) = text.split_once(':')?;
    let groups = (0..address.len() / 8)
        .map(|at| u32::from_str_radix(address.get(at * 8..at * 8 + 8)?, 16).ok());
    let bytes: Vec<u8> = groups
        .collect::<Option<Vec<u32>>>()?
        .into_iter()
        .flat_map(u32::to_ne_bytes)
        .collect();
    let ip = match bytes.len() {
        4 => IpAddr::V4(Ipv4Addr::from(<[u8; 4]>::try_from(bytes).ok()?)),
        16 => IpAddr::V6(Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?)),
        _ => return None,
    };
    Some(canonical(SocketAddr::new(
        ip,
        u16::from_str_radix(port, 16).ok()?,
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn finds_client_socket_over_ipv4_and_ipv6() -> std::io::Result<()> {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let listener = match TcpListener::bind(address) {
                Ok(listener) => listener,
                // The machine may have no IPv6.
                Err(_) if address.starts_with('[') => continue,
                Err(error) => return Err(error),
            };
            let client = TcpStream::connect(listener.local_addr()?)?;
            let (_server, peer) = listener.accept()?;
            let found = socket_inode(peer, listener.local_addr()?);
            let link = fs::read_link(format!(
                "/proc/self/fd/{}",
                std::os::fd::AsRawFd::as_raw_fd(&client)
            ))?;
            assert_eq!(
                found.map(|inode| format!("socket:[{inode}]")),
                link.to_str().map(str::to_owned),
                "{address}"
            );
        }
        Ok(())
    }

    #[test]
    fn unlisted_connection_has_no_socket() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
        let address = SocketAddr::from(([127, 0, 0, 1], 1));
        assert_eq!(find_inode(table, address, address), None);
    }
}
