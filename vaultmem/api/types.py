"""What the public API takes and returns: its types by name, and the limits of its arguments.

`from vaultmem.api.types import Hit, Scope` is how to name them in annotations. Importing this
module loads nothing; each name loads its own module on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.api.agent_files.types import Reached
    from vaultmem.api.vault.types import (
        Commit,
        Compacted,
        Details,
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
    from vaultmem.exchange.importing import How, Imported, Message, Reason
    from vaultmem.exchange.sync import Synced
    from vaultmem.knowledge.cards import Listed as ListedCard
    from vaultmem.knowledge.cards import Written as WrittenCard
    from vaultmem.knowledge.cards.formats import Mode as CardMode
    from vaultmem.knowledge.cards.types import Json, Patch, Strategy
    from vaultmem.knowledge.cards.types import Text as CardText
    from vaultmem.knowledge.corrections import Correction
    from vaultmem.knowledge.review import Item as ReviewItem
    from vaultmem.knowledge.sharing import Offer, Shared, Withdrawn
    from vaultmem.knowledge.tasks import Graph as TaskGraph
    from vaultmem.knowledge.tasks import Task
    from vaultmem.knowledge.topics.new_topic import NewTopic
    from vaultmem.knowledge.topics.types import Exported as ExportedTopics
    from vaultmem.knowledge.topics.types import Imported as ImportedTopics
    from vaultmem.knowledge.topics.types import Listed as ListedTopic
    from vaultmem.knowledge.topics.types import TopicListing as TopicList
    from vaultmem.knowledge.topics.types import Whole as WholeTopic
    from vaultmem.maintenance.digest import Digest
    from vaultmem.maintenance.digest import Item as DigestItem
    from vaultmem.maintenance.dream import Applied, Planned, Skipped
    from vaultmem.maintenance.dream.log import Dreamt
    from vaultmem.maintenance.dream.types import Gate, Proposal
    from vaultmem.maintenance.forgetting import (
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
    from vaultmem.maintenance.provenance import Link, Why
    from vaultmem.memory.compaction import Compaction
    from vaultmem.memory.compaction.cost import Estimate
    from vaultmem.memory.compaction.runner import Outcome
    from vaultmem.memory.folding.runner import Folding
    from vaultmem.memory.memory_index import MOST_BYTES, MOST_LINES
    from vaultmem.memory.messages.archive import Shrunken
    from vaultmem.memory.sessions import Compacted as CompactedSession
    from vaultmem.memory.sessions import SavedTurn, Session
    from vaultmem.models.embeddings import Choice as EmbedderChoice
    from vaultmem.models.embeddings import Embedder, Pin
    from vaultmem.nlp.tasks import Summarizer
    from vaultmem.records import Problem, Record
    from vaultmem.retrieval.context import Context
    from vaultmem.retrieval.context import Form as ContextForm
    from vaultmem.retrieval.search import (
        LONGEST_QUERY,
        MOST_HITS,
        Answer,
        Hit,
        Mode,
        Question,
        Scope,
    )
    from vaultmem.retrieval.vectors import Caught
    from vaultmem.retrieval.vectors import State as VectorState
    from vaultmem.storage.daemon_lock import State as DaemonState
    from vaultmem.storage.plan import Change, Plan, WrittenFile
    from vaultmem.storage.ulids import Entropy

__all__ = [
    "LONGEST_QUERY",
    "MOST_BYTES",
    "MOST_HITS",
    "MOST_LINES",
    "AgentHealth",
    "Answer",
    "Applied",
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
    "Dreamt",
    "Embedder",
    "EmbedderChoice",
    "Entropy",
    "Estimate",
    "Experience",
    "ExperienceOutcome",
    "Exported",
    "ExportedTopics",
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
    "PromptPlace",
    "Proof",
    "Proposal",
    "Purged",
    "Question",
    "Reached",
    "Reason",
    "RecentContext",
    "Record",
    "Remainder",
    "Remembered",
    "Report",
    "ReviewItem",
    "SavedTurn",
    "Scope",
    "Session",
    "SessionCompact",
    "Shared",
    "Shrunken",
    "Skipped",
    "Strategy",
    "Summarizer",
    "SummarizerHealth",
    "Synced",
    "Task",
    "TaskGraph",
    "TopicList",
    "VectorState",
    "WaitingCounts",
    "WholeTopic",
    "Why",
    "Withdrawn",
    "WrittenCard",
    "WrittenFile",
]

_HOME = {
    "AgentHealth": "vaultmem.maintenance.health.AgentHealth",
    "Answer": "vaultmem.retrieval.search.Answer",
    "Applied": "vaultmem.maintenance.dream.Applied",
    "CardMode": "vaultmem.knowledge.cards.formats.Mode",
    "CardText": "vaultmem.knowledge.cards.types.Text",
    "Caught": "vaultmem.retrieval.vectors.Caught",
    "Change": "vaultmem.storage.plan.Change",
    "Commit": "vaultmem.api.vault.types.Commit",
    "Compacted": "vaultmem.api.vault.types.Compacted",
    "CompactedSession": "vaultmem.memory.sessions.Compacted",
    "Compaction": "vaultmem.memory.compaction.Compaction",
    "Config": "vaultmem.config.Config",
    "Context": "vaultmem.retrieval.context.Context",
    "ContextForm": "vaultmem.retrieval.context.Form",
    "Correction": "vaultmem.knowledge.corrections.Correction",
    "DaemonState": "vaultmem.storage.daemon_lock.State",
    "Decision": "vaultmem.documents.bodies.Decision",
    "Details": "vaultmem.api.vault.types.Details",
    "Digest": "vaultmem.maintenance.digest.Digest",
    "DigestItem": "vaultmem.maintenance.digest.Item",
    "Dreamt": "vaultmem.maintenance.dream.log.Dreamt",
    "Embedder": "vaultmem.models.embeddings.Embedder",
    "EmbedderChoice": "vaultmem.models.embeddings.Choice",
    "Entropy": "vaultmem.storage.ulids.Entropy",
    "Estimate": "vaultmem.memory.compaction.cost.Estimate",
    "Experience": "vaultmem.documents.bodies.Experience",
    "ExperienceOutcome": "vaultmem.documents.bodies.Outcome",
    "Exported": "vaultmem.exchange.exporting.Exported",
    "ExportedTopics": "vaultmem.knowledge.topics.types.Exported",
    "Folding": "vaultmem.memory.folding.runner.Folding",
    "ForgetTarget": "vaultmem.maintenance.forgetting.ForgetTarget",
    "Forgetting": "vaultmem.maintenance.forgetting.Forgetting",
    "Forgotten": "vaultmem.maintenance.forgetting.Forgotten",
    "Gate": "vaultmem.maintenance.dream.types.Gate",
    "Health": "vaultmem.maintenance.health.Health",
    "Hidden": "vaultmem.documents.hidden_text.Hidden",
    "Hit": "vaultmem.retrieval.search.Hit",
    "How": "vaultmem.exchange.importing.How",
    "Imported": "vaultmem.exchange.importing.Imported",
    "ImportedTopics": "vaultmem.knowledge.topics.types.Imported",
    "IndexHealth": "vaultmem.maintenance.health.IndexHealth",
    "Intake": "vaultmem.api.vault.types.Intake",
    "Json": "vaultmem.knowledge.cards.types.Json",
    "LONGEST_QUERY": "vaultmem.retrieval.search.LONGEST_QUERY",
    "Link": "vaultmem.maintenance.provenance.Link",
    "ListedCard": "vaultmem.knowledge.cards.Listed",
    "ListedTopic": "vaultmem.knowledge.topics.types.Listed",
    "MOST_BYTES": "vaultmem.memory.memory_index.MOST_BYTES",
    "MOST_HITS": "vaultmem.retrieval.search.MOST_HITS",
    "MOST_LINES": "vaultmem.memory.memory_index.MOST_LINES",
    "Message": "vaultmem.exchange.importing.Message",
    "Mode": "vaultmem.retrieval.search.Mode",
    "NewTopic": "vaultmem.knowledge.topics.new_topic.NewTopic",
    "Offer": "vaultmem.knowledge.sharing.Offer",
    "Operation": "vaultmem.maintenance.history.Operation",
    "Outcome": "vaultmem.memory.compaction.runner.Outcome",
    "Patch": "vaultmem.knowledge.cards.types.Patch",
    "Permit": "vaultmem.maintenance.forgetting.Permit",
    "Pin": "vaultmem.models.embeddings.Pin",
    "Plan": "vaultmem.storage.plan.Plan",
    "Planned": "vaultmem.maintenance.dream.Planned",
    "Problem": "vaultmem.records.Problem",
    "PromptPlace": "vaultmem.documents.bodies.prompt_blocks.Way",
    "Proof": "vaultmem.maintenance.forgetting.Proof",
    "Proposal": "vaultmem.maintenance.dream.types.Proposal",
    "Purged": "vaultmem.maintenance.forgetting.Purged",
    "Question": "vaultmem.retrieval.search.Question",
    "Reached": "vaultmem.api.agent_files.types.Reached",
    "Reason": "vaultmem.exchange.importing.Reason",
    "RecentContext": "vaultmem.api.vault.types.RecentContext",
    "Record": "vaultmem.records.Record",
    "Remembered": "vaultmem.api.vault.types.Remembered",
    "Report": "vaultmem.maintenance.fsck.Report",
    "ReviewItem": "vaultmem.knowledge.review.Item",
    "SavedTurn": "vaultmem.memory.sessions.SavedTurn",
    "Scope": "vaultmem.retrieval.search.Scope",
    "Session": "vaultmem.memory.sessions.Session",
    "SessionCompact": "vaultmem.documents.bodies.SessionCompact",
    "Shared": "vaultmem.knowledge.sharing.Shared",
    "Shrunken": "vaultmem.memory.messages.archive.Shrunken",
    "Skipped": "vaultmem.maintenance.dream.Skipped",
    "Remainder": "vaultmem.maintenance.forgetting.Remainder",
    "Strategy": "vaultmem.knowledge.cards.types.Strategy",
    "Summarizer": "vaultmem.nlp.tasks.Summarizer",
    "SummarizerHealth": "vaultmem.maintenance.health.SummarizerHealth",
    "Synced": "vaultmem.exchange.sync.Synced",
    "Task": "vaultmem.knowledge.tasks.Task",
    "TaskGraph": "vaultmem.knowledge.tasks.Graph",
    "TopicList": "vaultmem.knowledge.topics.types.TopicListing",
    "VectorState": "vaultmem.retrieval.vectors.State",
    "WaitingCounts": "vaultmem.maintenance.health.WaitingCounts",
    "WholeTopic": "vaultmem.knowledge.topics.types.Whole",
    "Why": "vaultmem.maintenance.provenance.Why",
    "Withdrawn": "vaultmem.knowledge.sharing.Withdrawn",
    "WrittenCard": "vaultmem.knowledge.cards.Written",
    "WrittenFile": "vaultmem.storage.plan.WrittenFile",
}


if not TYPE_CHECKING:  # a type checker shall find names that are not there

    def __getattr__(name: str) -> object:
        """Load the module that *name* is of, on first use."""
        if name in _HOME:
            module, _, attribute = _HOME[name].rpartition(".")
            found: object = getattr(importlib.import_module(module), attribute)
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
