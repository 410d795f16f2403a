import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { newId } from '../../../../lib/ids.ts'
import { recordSystemAudit } from '../../../records/audit-log/record-audit.ts'
import { startRun } from '../runs/start-run.ts'
import { unreadableList } from './errors.ts'
import { readList } from './read-list.ts'
import type { ListDeps, ListVersion } from './record.ts'
import { hasShrunk } from './rules.ts'
import {
  deleteOldEntriesAcrossOrgs,
  insertEntriesAcrossOrgs,
  insertVersionAcrossOrgs,
  publishVersionAcrossOrgs,
  selectVersionsInForceAcrossOrgs,
} from './store.ts'

const batchSize = 1_000
const keptVersions = 3

interface Loading {
  path: string
  loadedBy: string
  /** Take a list that has lost more than half of its entries. */
  allowsShrinking: boolean
}

/**
 * Loads a list from a file and publishes it: every process takes it into use within seconds, and everybody is screened
 * again. A load that is interrupted publishes nothing. The file that is in force already changes nothing.
 */
export async function loadList(
  deps: ListDeps,
  { path, loadedBy, allowsShrinking }: Loading,
): Promise<{ version: ListVersion; isNew: boolean }> {
  const { source, fileName, sha256, entries } = await readList(path)
  const inForce = await deps.db.acrossOrgs(selectVersionsInForceAcrossOrgs)
  const known = inForce.find((version) => version.source === source)
  if (known?.sha256 === sha256) return { version: known, isNew: false }
  if (known && hasShrunk(known.entryCount, entries.length) && !allowsShrinking)
    throw unreadableList(
      `it has ${entries.length} entries and the one in force ${known.entryCount}; load it with --allow-shrinking if that is right`,
    )
  const loadedAt = deps.clock.now()
  const version = {
    versionId: newId(),
    source,
    fileName,
    sha256,
    entryCount: entries.length,
    loadedBy,
    loadedAt,
  }
  await deps.db.acrossOrgs((tx) => insertVersionAcrossOrgs(tx, version))
  for (let at = 0; at < entries.length; at += batchSize)
    await deps.db.acrossOrgs((tx) =>
      insertEntriesAcrossOrgs(tx, version.versionId, entries.slice(at, at + batchSize)),
    )
  const publishedAt = await deps.db.acrossOrgs(async (tx) => {
    const at = await publishVersionAcrossOrgs(tx, version.versionId)
    await startRun(tx, version.versionId, at)
    await recordSystemAudit(tx, installationOrgId, {
      action: 'sanctions-list.publish',
      resourceType: 'sanctions-list',
      resourceId: version.versionId,
      after: { source, file_name: fileName, sha256, entries: entries.length, loaded_by: loadedBy },
    })
    return at
  })
  await deps.db.acrossOrgs((tx) => deleteOldEntriesAcrossOrgs(tx, { source, keep: keptVersions }))
  return { version: { ...version, publishedAt }, isNew: true }
}
