//! Privileges that a program gives up before it starts.

use landlock::{
    CompatLevel, Compatible as _, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _,
    RulesetStatus, Scope,
};
use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal, sigprocmask};

/// The capabilities that root keeps, for files and users. Not included: mounts, namespaces, other
/// processes, raw devices.
const ROOT_KEEPS: [u32; 12] = [0, 1, 3, 4, 5, 6, 7, 8, 10, 18, 29, 31];

/// Restricts the program's signals to itself and its descendants; `false` on a kernel without
/// support.
///
/// It cannot reach its keeper, other sessions or any other process of its user, with signals or
/// `ptrace`.
pub(super) fn restrict_signals(is_root: bool) -> Result<bool, Errno> {
    if !is_root {
        nix::sys::prctl::set_no_new_privs()?;
    }
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::Signal)
        .and_then(Ruleset::create)
        .map(|created| created.no_new_privs(!is_root));
    let status = ruleset
        .and_then(|created| created.restrict_self())
        .map_err(|_| Errno::last())?;
    Ok(status.ruleset == RulesetStatus::FullyEnforced)
}

/// Drops every capability that the program could regain by executing something.
pub(super) fn drop_capabilities(is_root: bool) -> Result<(), Errno> {
    for capability in 0..64 {
        if is_root && ROOT_KEEPS.contains(&capability) {
            continue;
        }
        match drop_from_bounding_set(capability) {
            // Beyond the last capability that the kernel knows.
            Err(Errno::EINVAL) => break,
            outcome => outcome?,
        }
    }
    Ok(())
}

#[expect(unsafe_code, reason = "no existing dependency wraps this call")]
fn drop_from_bounding_set(capability: u32) -> Result<(), Errno> {
    // SAFETY: the call takes numbers and touches no memory.
    let outcome = unsafe {
        libc::prctl(
            libc::PR_CAPBSET_DROP,
            libc::c_ulong::from(capability),
            0,
            0,
            0,
        )
    };
    Errno::result(outcome).map(drop)
}

/// The program must not inherit the signals that the keeper has blocked, or that the app's parent
/// has ignored.
pub(super) fn reset_signals() -> Result<(), Errno> {
    for number in
        Signal::iterator().filter(|number| !matches!(number, Signal::SIGKILL | Signal::SIGSTOP))
    {
        #[expect(
            unsafe_code,
            reason = "the default handler runs no code of this program"
        )]
        // SAFETY: as above.
        unsafe { signal(number, SigHandler::SigDfl) }?;
    }
    sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)
}
