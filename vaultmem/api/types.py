"""What the public API takes and returns: its types by name, and the limits of its arguments.

`from vaultmem.api.types import Hit, Scope` is how to name them in annotations. Importing this
module loads nothing; each name loads its own module on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.api.agent_files.types import Reached
    from vaultmem.api.vault.options import Details, RecallOptions
    from vaultmem.api.vault.types import (
        Commit,
        Compacted,
        Draft,
        Intake,
        RecentContext,
        Remembered,
    )
    from vaultmem.config import Config
    from vaultmem.documents.bodies import Decision, Experience, SessionCompact
    from vaultmem.documents.bodies import Outcome as ExperienceOutcome
    from vaultmem.documents.bodies.prompt_blocks import Way as PromptPlace
    from vaultmem.documents.hidden_text import Hidden
    from vaultmem.exchange.exporting import Exported
    from vaultmem.exchange.exporting.service import FORMS as EXPORT_FORMS
    from vaultmem.exchange.formats.jsonl_message import Message
    from vaultmem.exchange.importing.service import How
    from vaultmem.exchange.importing.types import Imported, Reason
    from vaultmem.exchange.sync import Synced
    from vaultmem.knowledge.cards import Listed as ListedCard
    from vaultmem.knowledge.cards import Written as WrittenCard
    from vaultmem.knowledge.cards.formats import Mode as CardMode
    from vaultmem.knowledge.cards.types import Json, Patch, Strategy
    from vaultmem.knowledge.cards.types import Text as CardText
    from vaultmem.knowledge.corrections import Correction
    from vaultmem.knowledge.review import Item as ReviewItem
    from vaultmem.knowledge.sharing import Offer, Shared, Withdrawn
    from vaultmem.knowledge.tasks import STATUSES, Task, status_named
    from vaultmem.knowledge.tasks import Graph as TaskGraph
    from vaultmem.knowledge.topics.new_topic import NewTopic
    from vaultmem.knowledge.topics.types import Exported as ExportedTopics
    from vaultmem.knowledge.topics.types import Imported as ImportedTopics
    from vaultmem.knowledge.topics.types import Listed as ListedTopic
    from vaultmem.knowledge.topics.types import TopicListing as TopicList
    from vaultmem.knowledge.topics.types import TopicPatch, WrittenTopic
    from vaultmem.knowledge.topics.types import Whole as WholeTopic
    from vaultmem.maintenance.archive import Archived
    from vaultmem.maintenance.archive import Moved as MovedMemories
    from vaultmem.maintenance.digest import Digest
    from vaultmem.maintenance.digest import Item as DigestItem
    from vaultmem.maintenance.dream.log import Dreamt
    from vaultmem.maintenance.dream.results import Applied, Planned, Skipped, WaitingChange
    from vaultmem.maintenance.dream.types import Gate, Proposal
    from vaultmem.maintenance.forgetting import (
        AllowedAgain,
        ForgetTarget,
        Forgetting,
        Forgotten,
        Permit,
        Proof,
        Purged,
        Remainder,
    )
    from vaultmem.maintenance.fsck import Report
    from vaultmem.maintenance.health import (
        AgentHealth,
        Health,
        IndexHealth,
        SummarizerHealth,
        WaitingCounts,
    )
    from vaultmem.maintenance.history import Operation
    from vaultmem.maintenance.lint import Finding
    from vaultmem.maintenance.provenance.types import Link, Why
    from vaultmem.memory.compaction import Compaction
    from vaultmem.memory.compaction.cost import Estimate
    from vaultmem.memory.compaction.runner import Outcome
    from vaultmem.memory.experiences import decisions_of
    from vaultmem.memory.folding.runner import Folding
    from vaultmem.memory.memory_index import MOST_BYTES, MOST_LINES
    from vaultmem.memory.messages.archive import Shrunken
    from vaultmem.memory.session_compacts import Compacted as CompactedSession
    from vaultmem.memory.session_status import SavedTurn
    from vaultmem.memory.sessions import Session
    from vaultmem.memory.working import MOST_TODOS, Step, Todo, Working
    from vaultmem.models.embeddings import Choice as EmbedderChoice
    from vaultmem.models.embeddings import Embedder, Pin, TextEmbedder
    from vaultmem.models.reranking import Reranker
    from vaultmem.nlp.tasks import Summarizer
    from vaultmem.records import Problem, Record
    from vaultmem.retrieval.context import Context, check_budget
    from vaultmem.retrieval.context import Form as ContextForm
    from vaultmem.retrieval.external import ExternalHit, ExternalRetriever
    from vaultmem.retrieval.search import (
        LONGEST_QUERY,
        MOST_HITS,
        NO_EMBEDDER,
        Answer,
        Hit,
        Mode,
        Question,
        Scope,
        ScorePart,
    )
    from vaultmem.retrieval.vectors import Caught
    from vaultmem.retrieval.vectors import State as VectorState
    from vaultmem.retrieval.vectors.given_store import VectorStore
    from vaultmem.storage.daemon_lock import State as DaemonState
    from vaultmem.storage.plan import Change, Plan, WrittenFile
    from vaultmem.storage.progress import Progress, of_many, untold
    from vaultmem.storage.transcripts import A_TOOL, Turn
    from vaultmem.storage.ulids import Entropy

__all__ = [
    "A_TOOL",
    "EXPORT_FORMS",
    "LONGEST_QUERY",
    "MOST_BYTES",
    "MOST_HITS",
    "MOST_LINES",
    "MOST_TODOS",
    "NO_EMBEDDER",
    "STATUSES",
    "AgentHealth",
    "AllowedAgain",
    "Answer",
    "Applied",
    "Archived",
    "CardMode",
    "CardText",
    "Caught",
    "Change",
    "Commit",
    "Compacted",
    "CompactedSession",
    "Compaction",
    "Config",
    "Context",
    "ContextForm",
    "Correction",
    "DaemonState",
    "Decision",
    "Details",
    "Digest",
    "DigestItem",
    "Draft",
    "Dreamt",
    "Embedder",
    "EmbedderChoice",
    "Entropy",
    "Estimate",
    "Experience",
    "ExperienceOutcome",
    "Exported",
    "ExportedTopics",
    "ExternalHit",
    "ExternalRetriever",
    "Finding",
    "Folding",
    "ForgetTarget",
    "Forgetting",
    "Forgotten",
    "Gate",
    "Health",
    "Hidden",
    "Hit",
    "How",
    "Imported",
    "ImportedTopics",
    "IndexHealth",
    "Intake",
    "Json",
    "Link",
    "ListedCard",
    "ListedTopic",
    "Message",
    "Mode",
    "MovedMemories",
    "NewTopic",
    "Offer",
    "Operation",
    "Outcome",
    "Patch",
    "Permit",
    "Pin",
    "Plan",
    "Planned",
    "Problem",
    "Progress",
    "PromptPlace",
    "Proof",
    "Proposal",
    "Purged",
    "Question",
    "Reached",
    "Reason",
    "RecallOptions",
    "RecentContext",
    "Record",
    "Remainder",
    "Remembered",
    "Report",
    "Reranker",
    "ReviewItem",
    "SavedTurn",
    "Scope",
    "ScorePart",
    "Session",
    "SessionCompact",
    "Shared",
    "Shrunken",
    "Skipped",
    "Step",
    "Strategy",
    "Summarizer",
    "SummarizerHealth",
    "Synced",
    "Task",
    "TaskGraph",
    "TextEmbedder",
    "Todo",
    "TopicList",
    "TopicPatch",
    "Turn",
    "VectorState",
    "VectorStore",
    "WaitingChange",
    "WaitingCounts",
    "WholeTopic",
    "Why",
    "Withdrawn",
    "Working",
    "WrittenCard",
    "WrittenFile",
    "WrittenTopic",
    "check_budget",
    "decisions_of",
    "of_many",
    "status_named",
    "untold",
]

_NAMES = {
    "api.agent_files.types": "Reached",
    "api.vault.options": "Details, RecallOptions",
    "api.vault.types": "Commit, Compacted, Draft, Intake, RecentContext, Remembered",
    "config": "Config",
    "documents.bodies": "Decision, Experience, Outcome as ExperienceOutcome, SessionCompact",
    "documents.bodies.prompt_blocks": "Way as PromptPlace",
    "documents.hidden_text": "Hidden",
    "exchange.exporting": "Exported",
    "exchange.exporting.service": "FORMS as EXPORT_FORMS",
    "exchange.formats.jsonl_message": "Message",
    "exchange.importing.service": "How",
    "exchange.importing.types": "Imported, Reason",
    "exchange.sync": "Synced",
    "knowledge.cards": "Listed as ListedCard, Written as WrittenCard",
    "knowledge.cards.formats": "Mode as CardMode",
    "knowledge.cards.types": "Json, Patch, Strategy, Text as CardText",
    "knowledge.corrections": "Correction",
    "knowledge.review": "Item as ReviewItem",
    "knowledge.sharing": "Offer, Shared, Withdrawn",
    "knowledge.tasks": "Graph as TaskGraph, STATUSES, Task, status_named",
    "knowledge.topics.new_topic": "NewTopic",
    "knowledge.topics.types": (
        "Exported as ExportedTopics, Imported as ImportedTopics, Listed as ListedTopic, "
        "TopicListing as TopicList, TopicPatch, Whole as WholeTopic, WrittenTopic"
    ),
    "maintenance.archive": "Archived, Moved as MovedMemories",
    "maintenance.digest": "Digest, Item as DigestItem",
    "maintenance.dream.log": "Dreamt",
    "maintenance.dream.results": "Applied, Planned, Skipped, WaitingChange",
    "maintenance.dream.types": "Gate, Proposal",
    "maintenance.forgetting": (
        "AllowedAgain, ForgetTarget, Forgetting, Forgotten, Permit, Proof, Purged, Remainder"
    ),
    "maintenance.fsck": "Report",
    "maintenance.health": "AgentHealth, Health, IndexHealth, SummarizerHealth, WaitingCounts",
    "maintenance.history": "Operation",
    "maintenance.lint": "Finding",
    "maintenance.provenance.types": "Link, Why",
    "memory.compaction": "Compaction",
    "memory.compaction.cost": "Estimate",
    "memory.compaction.runner": "Outcome",
    "memory.experiences": "decisions_of",
    "memory.folding.runner": "Folding",
    "memory.memory_index": "MOST_BYTES, MOST_LINES",
    "memory.messages.archive": "Shrunken",
    "memory.session_compacts": "Compacted as CompactedSession",
    "memory.session_status": "SavedTurn",
    "memory.sessions": "Session",
    "memory.working": "MOST_TODOS, Step, Todo, Working",
    "models.embeddings": "Choice as EmbedderChoice, Embedder, Pin, TextEmbedder",
    "models.reranking": "Reranker",
    "nlp.tasks": "Summarizer",
    "records": "Problem, Record",
    "retrieval.context": "Context, Form as ContextForm, check_budget",
    "retrieval.external": "ExternalHit, ExternalRetriever",
    "retrieval.search": (
        "Answer, Hit, LONGEST_QUERY, MOST_HITS, Mode, NO_EMBEDDER, Question, Scope, ScorePart"
    ),
    "retrieval.vectors": "Caught, State as VectorState",
    "retrieval.vectors.given_store": "VectorStore",
    "storage.daemon_lock": "State as DaemonState",
    "storage.plan": "Change, Plan, WrittenFile",
    "storage.progress": "Progress, of_many, untold",
    "storage.transcripts": "A_TOOL, Turn",
    "storage.ulids": "Entropy",
}
"""Whose names they are, by module, as the imports above have it."""

_HOME = {
    alias or name: (f"vaultmem.{module}", name)
    for module, names in _NAMES.items()
    for name, _, alias in (each.partition(" as ") for each in names.split(", "))
}


if not TYPE_CHECKING:  # a type checker shall find names that are not there

    def __getattr__(name: str) -> object:
        """Load the module that *name* is of, on first use."""
        if name in _HOME:
            module, attribute = _HOME[name]
            found: object = getattr(importlib.import_module(module), attribute)
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
