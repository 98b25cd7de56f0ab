"""What git's last words mean for whoever has to do something about it."""

import re
from collections.abc import Sequence

from knowledge.errors import KnowledgeError, SourceProblem, SourceUnavailable
from knowledge.sources.git.program import GitFailed
from knowledge.sources.git.remote import Remote

# The first that is found decides: git says the particular first, and then "Could not read from remote repository".
_REMEDIES: Sequence[tuple[str, str]] = (
    (
        r"Host key verification failed|host key is known",
        "its host key is not known: compare the output of `ssh-keyscan {host}` with what the host publishes, save it to"
        " a file, and name the file in `known_hosts`",
    ),
    (
        r"Permission denied \(|Too many authentication failures|Load key|error in libcrypto|UNPROTECTED PRIVATE KEY",
        "the SSH key was refused: `ssh_key_env` names the variable with the path of a private key that only this user"
        " can read; register its public half as a deploy key of the repository",
    ),
    (
        r"Authentication failed|could not read (Username|Password)|returned error: 40[13]\b|HTTP Basic: Access denied",
        "access was denied: put a token that may read this repository into the variable GIT_TOKEN, or the one that"
        " `token_env` names",
    ),
    (
        r"returned error: 404|[Rr]epository .*not found|does not appear to be a git repository|not exported",
        "there is no such repository, or the token or key may not see it: correct `url`, or the rights of the token",
    ),
    (
        r"returned error: 3\d\d|redirect",
        "it answers with a redirect, and redirects are not followed: write the address it has now into `url`",
    ),
    (
        r"certificate|SSL: no alternative",
        "its certificate is not trusted: mend the certificate, or name its authority's file in the variable"
        " SSL_CERT_FILE",
    ),
    (
        r"dubious ownership",
        "the repository belongs to another user of this machine: let the user that runs this own it, or use its https"
        " or ssh address",
    ),
    (r"File too large", "it is larger than `max_repository_mb` allows: raise the limit if it is meant"),
    (r"No space left|Disk quota exceeded", "there is no space left for its clone: make room"),
)
_PASSING = re.compile(
    r"Could not resolve|Temporary failure|Name or service not known|Failed to connect|Could(n't| not) connect"
    r"|Connection (refused|reset|timed out|closed)|timed out|too slow|Timeout|Network is unreachable|No route to host"
    r"|returned error: (5\d\d|429|408)|RPC failed|early EOF|hung up|unexpected disconnect|Empty reply|SSL_ERROR_SYSCALL"
    r"|kex_exchange_identification|Recv failure|Send failure|transfer closed|Too many requests"
)

# Words of a git that cannot read our clone; whatever else it says follows from that.
_DAMAGED = re.compile(
    r"corrupt|bad object|bad tree|[Ii]nvalid object|unable to (read|unpack)|inflate|cannot lock ref"
    r"|not a git repository"
)


def explained(failure: GitFailed, remote: Remote) -> KnowledgeError | None:
    """Return what a failed call of the remote means; None when git's words tell nothing of the remote."""
    text = str(failure)
    if _DAMAGED.search(text):
        return None
    for pattern, remedy in _REMEDIES:
        if re.search(pattern, text):
            return SourceProblem(f"{remote.url}: {remedy.format(host=remote.bare_host)} (git: {text})")
    if _PASSING.search(text):
        return SourceUnavailable(f"{remote.url} does not answer (git: {text})")
    return None
