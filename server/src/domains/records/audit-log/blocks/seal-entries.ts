import type { AuditBlock, SealDeps, UnsealedEntry } from './record.ts'
import { sealBlock } from './rules.ts'
import {
  deleteUnsealedAcrossOrgs,
  insertBlocksAcrossOrgs,
  lockSealingAcrossOrgs,
  selectHeadsAcrossOrgs,
  selectUnsealedAcrossOrgs,
} from './store.ts'

const entriesPerRound = 1_000
/** A backlog is worked off by the next runs, so that no run holds its worker for long. */
const roundsPerRun = 20

/** Seals what was committed since the last run, at most one block for each organisation and round. */
export async function sealEntries(deps: SealDeps): Promise<number> {
  let sealed = 0
  for (let round = 0; round < roundsPerRun; round++) {
    const count = await sealRound(deps)
    sealed += count
    if (count < entriesPerRound) break
  }
  return sealed
}

function sealRound(deps: SealDeps): Promise<number> {
  return deps.db.acrossOrgs(async (tx) => {
    if (!(await lockSealingAcrossOrgs(tx))) return 0
    const entries = await selectUnsealedAcrossOrgs(tx, entriesPerRound)
    if (entries.length === 0) return 0
    const byOrg = Map.groupBy(entries, ({ orgId }) => orgId)
    const heads = await selectHeadsAcrossOrgs(tx.db, [...byOrg.keys()])
    const sealedAt = deps.clock.now()
    const blocks = [...byOrg].flatMap(([orgId, [first, ...others]]): AuditBlock[] => {
      const head = heads.find((one) => one.orgId === orgId)
      return first ? [sealBlock(head, [first, ...others], sealedAt)] : []
    })
    await insertBlocksAcrossOrgs(tx, blocks)
    await deleteUnsealedAcrossOrgs(tx, entries satisfies UnsealedEntry[])
    return entries.length
  })
}
