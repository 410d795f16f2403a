import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import { newId } from '../../../../lib/ids.ts'
import { findEntryAcrossOrgs } from '../lists/store.ts'
import type { Hit, ListEntry } from '../record.ts'
import {
  matchContext,
  type MatchStatus,
  type Parties,
  type ScreeningDeps,
  type Subject,
  type Verdict,
} from './record.ts'
import { decisionAbout, identifierKeysOf, matchIdOf, orgKeyOf, personKeyOf } from './rules.ts'
import { findRecord, insertRecord, selectDecisions, upsertMatch } from './store.ts'

export interface ScreeningResult {
  verdict: Verdict
  /** To be written with what the screening decided, before anything that is sent. */
  statements: CompiledQuery[]
}

type ReadInOrg = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

interface Screened extends Parties {
  /** The payment or the deposit. */
  subjectId: string
  isBlocked?: boolean
  /** Those of an earlier record: the details may have been erased since. */
  knownKeys?: readonly Buffer[]
}

interface Suspect {
  subject: Subject
  personKey: Buffer
  identifierKeys: Buffer[]
  hits: Hit[]
}

/**
 * Screens everybody in a payment, or whoever sent a deposit. The statements begin with the record of it, without which
 * the database lets nothing be sent.
 */
export async function screenParties(
  deps: ScreeningDeps,
  orgId: string,
  { subjectId, isBlocked = false, knownKeys = [], ...parties }: Screened,
): Promise<ScreeningResult> {
  const { versionIds, publishedAt } = deps.sanctions.inUse()
  const { verdict: found, statements } = await screenSubjects(deps, orgId, parties)
  const verdict = isBlocked ? 'confirmed' : found
  const orgKey = orgKeyOf(deps.screeningKey, orgId)
  const keys = identifierKeysOf(orgKey, parties.identifiers)
  const record = insertRecord(orgId, {
    subjectId,
    screeningId: newId(),
    personKeys: parties.subjects.map(({ person }) => personKeyOf(orgKey, person)),
    identifierKeys: [...knownKeys, ...keys.filter((key) => !knownKeys.some((known) => known.equals(key)))],
    listVersions: [...versionIds],
    listsPublishedAt: publishedAt,
    verdict,
  })
  return { verdict, statements: [record, ...statements] }
}

/** Before something is sent that was screened by other lists than those in use now. */
export async function screenAgain(
  deps: ScreeningDeps,
  { orgId, subjectId }: { orgId: string; subjectId: string },
  readParties: () => Promise<Parties>,
): Promise<void> {
  const newest = await deps.db.inOrg(orgId, (tx) => findRecord(tx, orgId, subjectId))
  if (newest?.listVersions.join() === deps.sanctions.inUse().versionIds.join()) return
  const known = { subjectId, knownKeys: newest?.identifierKeys ?? [], ...(await readParties()) }
  await deps.db.batchInOrg(orgId, (await screenParties(deps, orgId, known)).statements)
}

/**
 * Compares people with the lists in use. Earlier decisions are read only for people who possibly match. A caller that is
 * in a transaction gives it: waiting for a second connection while it holds one could stop all of them.
 */
export async function screenSubjects(
  deps: ScreeningDeps,
  orgId: string,
  { subjects, identifiers }: Parties,
  within?: Tx,
): Promise<ScreeningResult> {
  const read: ReadInOrg = (work) => (within ? work(within) : deps.db.inOrg(orgId, work))
  const found: Pick<Suspect, 'subject' | 'hits'>[] = []
  for (const subject of subjects) {
    const hits = await deps.sanctions.find(subject.person)
    if (hits.length > 0) found.push({ subject, hits })
  }
  if (found.length === 0) return { verdict: 'clear', statements: [] }
  const orgKey = orgKeyOf(deps.screeningKey, orgId)
  const identifierKeys = identifierKeysOf(orgKey, identifiers)
  const suspects = found.map((one): Suspect => ({
    ...one,
    personKey: personKeyOf(orgKey, one.subject.person),
    identifierKeys,
  }))
  const keys = suspects.map(({ personKey }) => personKey)
  const decided = await read((tx) => selectDecisions(tx, orgId, keys))
  const statements: CompiledQuery[] = []
  let verdict: Verdict = 'clear'
  for (const suspect of suspects) {
    const about = decided.filter(({ personKey }) => personKey.equals(suspect.personKey))
    for (const hit of suspect.hits) {
      const decision = decisionAbout(about, hit.entry)
      if (decision === 'cleared') continue
      const status = decision ?? 'open'
      if (verdict !== 'confirmed') verdict = status
      const { versionId, entryId } = hit.entry
      const entry = hit.listed ?? (await read((tx) => findEntryAcrossOrgs(tx, { versionId, entryId })))
      statements.push(await matchStatement(deps, orgId, suspect, { hit, entry, status }))
    }
  }
  return { verdict, statements }
}

async function matchStatement(
  deps: ScreeningDeps,
  orgId: string,
  { subject, personKey, identifierKeys }: Suspect,
  { hit, entry, status }: { hit: Hit; entry: ListEntry | undefined; status: MatchStatus },
): Promise<CompiledQuery> {
  const { source, entryId, fingerprint, versionId, birthDates, countries } = hit.entry
  const matchId = matchIdOf(orgId, subject, hit.entry)
  return upsertMatch(orgId, {
    matchId,
    subjectKind: subject.kind,
    subjectId: subject.subjectId,
    personKey,
    identifierKeys,
    personSealed: await deps.vault.seal(orgId, matchContext(matchId), subject.person),
    source,
    entryId,
    // The version may have been replaced since, and its entries deleted.
    entry: entry ?? { entryId, kind: 'person', names: [], birthDates, countries, programmes: [] },
    entryFingerprint: fingerprint,
    versionId,
    score: hit.score,
    status,
    createdAt: deps.clock.now(),
  })
}
