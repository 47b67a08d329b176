"""The patterns of credentials that say what they are, each compiled when it is first needed."""

from __future__ import annotations

import functools
import re


@functools.cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return *pattern*, whose classes are those of ASCII."""
    return re.compile(pattern, re.ASCII)


@functools.cache
def prefixed(prefix: str, body: str) -> re.Pattern[str]:
    """Return the pattern of a *body* behind a *prefix* that no letter or digit precedes."""
    # The look-behind stands after the literal, where it does not cost `re` its fast search.
    literal = re.escape(prefix)
    return re.compile(f"{literal}(?<![A-Za-z0-9]{literal}){body}", re.ASCII)


# Rule, literal beginnings, what follows.
PREFIXED = (
    ("aws-access-key", ("AKIA", "ASIA"), r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws-bedrock-key", ("ABSK",), r"[A-Za-z0-9+/]{100,}={0,2}"),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"[A-Za-z0-9]{36,}"),
    ("github-token", ("github_pat_",), r"\w{22,}"),
    (
        "gitlab-token",
        ("glpat-", "glrt-", "gldt-", "glptt-", "glft-", "glcbt-", "glimt-", "glsoat-", "glagent-"),
        r"[\w.-]{20,}",
    ),
    ("anthropic-key", ("sk-ant-",), r"[\w-]{20,}"),
    ("openrouter-key", ("sk-or-",), r"[\w-]{32,}"),
    ("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-"), r"[\w-]{20,}"),
    ("openai-key", ("sk-",), r"[A-Za-z0-9]{32,}"),
    ("google-api-key", ("AIza",), r"[\w-]{35,}"),
    ("google-oauth-secret", ("GOCSPX-",), r"[\w-]{28,}"),
    ("google-oauth-token", ("ya29.",), r"[\w-]{30,}"),
    ("slack-token", ("xox",), r"[abeoprs]-[\w.-]{10,}"),
    ("slack-token", ("xapp-",), r"\d-[\w-]{20,}"),
    ("stripe-key", ("sk_live_", "rk_live_", "sk_test_", "rk_test_"), r"[A-Za-z0-9]{16,}"),
    ("stripe-webhook-secret", ("whsec_",), r"[A-Za-z0-9+/=]{24,}"),
    ("twilio-key", ("SK",), r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("sendgrid-key", ("SG.",), r"[\w-]{16,32}\.[\w-]{32,}"),
    ("mailgun-key", ("key-",), r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("brevo-key", ("xkeysib-",), r"[0-9a-f]{64}-\w{16}"),
    ("npm-token", ("npm_",), r"[A-Za-z0-9]{36,}"),
    ("pypi-token", ("pypi-",), r"[\w-]{50,}"),
    ("rubygems-key", ("rubygems_",), r"[0-9a-f]{48}"),
    ("huggingface-token", ("hf_",), r"[A-Za-z0-9]{30,}"),
    ("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"[0-9a-f]{64}"),
    ("databricks-token", ("dapi",), r"[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"[0-9A-Fa-f]{32}"),
    ("square-token", ("sq0",), r"(?:atp|csp|idp)-[\w-]{22,}"),
    ("square-token", ("EAAA",), r"[\w-]{60}(?![\w/+=-])"),
    ("linear-key", ("lin_api_", "lin_oauth_"), r"[A-Za-z0-9]{32,}"),
    ("notion-token", ("ntn_",), r"[A-Za-z0-9]{40,}"),
    ("notion-token", ("secret_",), r"[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("vault-token", ("hvs.", "hvb.", "hvr."), r"[\w-]{24,}"),
    ("doppler-token", ("dp.",), r"(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}"),
    ("fly-token", ("fo1_",), r"[\w-]{43,}"),
    ("fly-token", ("fm1",), r"[ar]?_[\w+/=-]{60,}"),
    ("fly-token", ("fm2",), r"_[\w+/=-]{60,}"),
    ("supabase-key", ("sbp_",), r"[0-9a-f]{40}"),
    ("supabase-key", ("sb_secret_",), r"[\w-]{20,}"),
    ("atlassian-token", ("ATATT3",), r"[\w=-]{60,}"),
    ("newrelic-key", ("NRAK-",), r"[A-Z0-9]{27}"),
    ("grafana-token", ("glsa_",), r"[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    ("grafana-token", ("glc_",), r"[A-Za-z0-9+/=]{32,}"),
    ("postman-key", ("PMAK-",), r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("sentry-token", ("sntrys_",), r"[\w+/=-]{40,}"),
    ("sentry-token", ("sntryu_",), r"[0-9a-f]{64}"),
    ("figma-token", ("figd_",), r"[\w-]{40,}"),
    ("groq-key", ("gsk_",), r"[A-Za-z0-9]{40,}"),
    ("replicate-token", ("r8_",), r"[A-Za-z0-9]{37}"),
    ("perplexity-key", ("pplx-",), r"[A-Za-z0-9]{40,}"),
    ("tavily-key", ("tvly-",), r"(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    ("xai-key", ("xai-",), r"[A-Za-z0-9]{60,}"),
    ("planetscale-token", ("pscale_",), r"(?:tkn|pw|oauth)_[\w.-]{32,}"),
    ("docker-token", ("dckr_",), r"[po]at_[\w-]{27,}"),
    ("pulumi-token", ("pul-",), r"[0-9a-f]{40}"),
    ("tailscale-key", ("tskey-",), r"[a-z]+-\w{8,}-\w{16,}"),
    ("onepassword-token", ("ops_eyJ",), r"[\w+/=-]{100,}"),
    ("onepassword-secret-key", ("A3-",), r"[A-Z0-9]{6}-[A-Z0-9]{6}(?:-[A-Z0-9]{5}){4}(?!\w)"),
    ("extended-private-key", ("xprv", "yprv", "zprv", "tprv"), r"[A-Za-z0-9]{100,}"),
    ("heroku-key", ("HRKU-",), r"[\w-]{36,}"),
    ("dropbox-token", ("sl.",), r"(?:u\.)?[\w-]{60,}"),
    ("buildkite-token", ("bkua_",), r"[0-9a-f]{40}"),
    ("netlify-token", ("nfp_",), r"\w{36,}"),
    ("vercel-token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), r"[A-Za-z0-9]{40,}"),
    ("neon-key", ("napi_",), r"[A-Za-z0-9]{40,}"),
    ("langsmith-key", ("lsv2_",), r"(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("mapbox-token", ("sk.eyJ",), r"[\w-]{30,}\.[\w-]{16,}"),
    ("circleci-token", ("CCIPAT_", "CCIPRJ_"), r"[A-Za-z0-9]{20,24}_[0-9a-f]{40}"),
    ("elevenlabs-key", ("sk_",), r"[0-9a-f]{48}(?!\w)"),
    ("pinecone-key", ("pcsk_",), r"\w{40,}"),
    ("facebook-token", ("EAA",), r"[A-Za-z0-9]{120,}"),
    ("firecrawl-key", ("fc-",), r"[0-9a-f]{32}(?!\w)"),
    ("crates-token", ("cio",), r"[A-Za-z0-9]{32}(?!\w)"),
    ("resend-key", ("re_",), r"(?=\w*\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?!\w)"),
    ("nvidia-key", ("nvapi-",), r"[\w-]{60,}"),
    ("jina-key", ("jina_",), r"\w{50,}"),
    ("age-secret-key", ("AGE-SECRET-KEY-1",), r"[0-9A-Z]{50,}"),
)

# No group is repeated possessively here: Python 3.11.2, which Debian has, keeps what a round of it
# took before it failed, and then misses the end of a key.
_PEM = (
    r"-----? ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?[^-]*+(?:-(?!---)[^-]*+)*"
    r"(?:-----? ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?)?"
)
_PUTTY = (
    r"PuTTY-User-Key-File-\d:(?:(?!PuTTY-User|Private-L)[\s\S])*Private-Lines: ?\d{1,4}\s+"
    r"(?:[A-Za-z0-9+/=]{1,100}+\s*+){1,200}(?:-MAC: ?[0-9a-f]{40,64})?"
)
_BESIDE_AWS_KEY = (
    r"A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9+/]{1,40}(?P<v>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
)
_MAILGUN = r"[0-9a-f](?<![\w-][0-9a-f])[0-9a-f]{31}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])"
_IN_WIFI = r"(?:\\.|[^;\\\n])"
_WIFI = rf"WIFI:(?:[TSHR]:{_IN_WIFI}{{0,100}};){{0,5}}P:(?P<v>{_IN_WIFI}{{4,100}});"
_URL_LOGIN = r"://[^\s:/@\"'<>]{0,100}:(?!\d{1,5}[?#])(?P<v>[^\s/\"'<>]{3,200})@(?=[\w\[])"
_CRYPT = (
    r"\$(?:[1567y]|gy|apr1|2[abxy]|argon2(?:id|i|d)|scrypt)\$(?:[\w=,./+-]{1,60}\$){0,3}"
    r"[\w./+]{20,}"
)
_PIPED = r"echo\s{1,3}[\"']?(?P<v>[^\s|\"']{4,100})[\"']?\s{0,3}\|\s{0,3}sudo\s-S"

# Rule, hint, pattern. A group `v` marks the secret part, else it is the whole match.
SHAPED = (
    ("private-key", "PRIVATE KEY", _PEM),
    ("private-key", "PuTTY-User-Key-File-", _PUTTY),
    ("aws-secret-key", "IA", _BESIDE_AWS_KEY),
    ("jwt", "eyJ", r"eyJ(?<![\w-]eyJ)[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
    ("google-oauth-token", "1//0", r"1//0(?<!\w1//0)[\w-]{40,}"),
    ("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/\w{1,20}/(?P<v>[\w/+-]{20,})"),
    ("discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{10,25}/(?P<v>[\w-]{50,})"),
    ("discord-token", ".", r"[MNO](?<![\w.-][MNO])[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
    ("telegram-token", ":A", r"(?<![\w:-])\d{8,10}:A[\w-]{34}(?![\w-])"),
    ("mailgun-key", "-", _MAILGUN),
    ("mailchimp-key", "-us", r"(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])"),
    ("airtable-token", "pat", r"pat(?<![A-Za-z0-9]pat)[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("terraform-token", ".atlasv1.", r"(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    ("azure-client-secret", "Q~", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])"),
    ("azure-storage-key", "AccountKey", r"AccountKey ?= ?(?P<v>[A-Za-z0-9+/]{40,}={0,2})"),
    ("azure-sas-signature", "sig=", r"[?&]sig=(?P<v>[A-Za-z0-9%+/]{40,}={0,2})"),
    ("kubernetes-key", "client-key-data", r"client-key-data:\s{0,4}(?P<v>[A-Za-z0-9+/=]{60,})"),
    ("docker-auth", '"auth"', r'"auth"\s{0,4}:\s{0,4}"(?P<v>[A-Za-z0-9+/=]{20,})"'),
    ("url-credentials", "://", _URL_LOGIN),
    ("wifi-password", "WIFI:", _WIFI),
    ("password-hash", "$", _CRYPT),
    ("command-line-secret", "sudo", _PIPED),
)
