import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import { findEntryAcrossOrgs } from '../lists/store.ts'
import type { Hit, ListEntry } from '../record.ts'
import { matchContext, type MatchStatus, type ScreeningDeps, type Subject } from './record.ts'
import { decisionAbout, matchIdOf, personKeyOf } from './rules.ts'
import { selectDecisions, upsertMatch } from './store.ts'

export interface ScreeningResult {
  /** The worst of all subjects. */
  verdict: 'clear' | 'open' | 'confirmed'
  /** What is to be written with the decision to hold: nothing if everybody is clear. */
  statements: CompiledQuery[]
}

type ReadInOrg = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

interface Suspect {
  subject: Subject
  personKey: Buffer
  hits: Hit[]
}

const clear: ScreeningResult = { verdict: 'clear', statements: [] }

/**
 * Screens people by the lists in the memory of this process. Earlier decisions are read only
 * for people who possibly match. A caller that is in a transaction gives it: waiting for a second connection while it holds
 * one could stop all of them.
 */
export async function screenSubjects(
  deps: ScreeningDeps,
  orgId: string,
  subjects: readonly Subject[],
  within?: Tx,
): Promise<ScreeningResult> {
  const read: ReadInOrg = (work) => (within ? work(within) : deps.db.inOrg(orgId, work))
  const suspects: Suspect[] = []
  for (const subject of subjects) {
    const hits = await deps.sanctions.find(subject.person)
    if (hits.length > 0)
      suspects.push({ subject, hits, personKey: personKeyOf(deps.screeningKey, orgId, subject.person) })
  }
  if (suspects.length === 0) return clear
  const keys = suspects.map(({ personKey }) => personKey)
  const decided = await read((tx) => selectDecisions(tx, orgId, keys))
  const statements: CompiledQuery[] = []
  let verdict: ScreeningResult['verdict'] = 'clear'
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
  { subject, personKey }: Suspect,
  { hit, entry, status }: { hit: Hit; entry: ListEntry | undefined; status: MatchStatus },
): Promise<CompiledQuery> {
  const { source, entryId, fingerprint, versionId, birthDates, countries } = hit.entry
  const matchId = matchIdOf(orgId, subject, hit.entry)
  return upsertMatch(orgId, {
    matchId,
    subjectKind: subject.kind,
    subjectId: subject.subjectId,
    personKey,
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
