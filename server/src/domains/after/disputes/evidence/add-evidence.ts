import type { EvidenceField, FilePurpose } from '../../../../connectors/kit/disputes.ts'
import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { validationError } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import { isStaleVersion } from '../../../../kernel/db/errors.ts'
import { auditStatement } from '../../../records/audit-log/record-audit.ts'
import { privateContext } from '../../../payments/record.ts'
import { changedMeanwhile, notAwaiting } from '../errors.ts'
import { getDispute } from '../reads.ts'
import type { DisputeView, SealedEvidence } from '../record.ts'
import { awaitsResponse } from '../rules.ts'
import { updateDispute } from '../store.ts'
import { decodeFile, excessOf, fileLimitBytes, typeOfFile } from './rules.ts'
import { evidenceContext } from './read-evidence.ts'
import { insertEvidence } from './store.ts'

export interface NewEvidence {
  disputeId: string
  texts: Partial<Record<EvidenceField, string>>
  files: { purpose: FilePurpose; name: string; base64: string }[]
}

/** Keeps evidence here, sealed. Nothing is sent before it is submitted. */
export async function addEvidence(
  deps: { db: Database; vault: Vault; clock: Clock },
  caller: Caller,
  input: NewEvidence,
): Promise<DisputeView> {
  const { orgId } = caller
  const view = await getDispute(deps, caller, input)
  const { dispute } = view
  if (!awaitsResponse(dispute.state)) throw notAwaiting(dispute)
  const subject = privateContext(dispute.paymentId)
  const now = deps.clock.now()
  const row = { userId: caller.userId, createdAt: now }
  const rows: SealedEvidence[] = []
  for (const [field, text] of Object.entries(input.texts)) {
    const evidenceId = newId()
    rows.push({
      ...row,
      evidenceId,
      kind: 'text',
      field: field as EvidenceField, // the keys of the body's schema
      fileName: null,
      contentType: null,
      sizeBytes: Buffer.byteLength(text),
      contentSealed: await deps.vault.seal(orgId, evidenceContext(evidenceId), text, subject),
    })
  }
  for (const [index, file] of input.files.entries()) {
    const evidenceId = newId()
    const { bytes, contentType } = readFile(file.base64, index)
    rows.push({
      ...row,
      evidenceId,
      kind: 'file',
      field: file.purpose,
      fileName: file.name,
      contentType,
      sizeBytes: bytes.length,
      contentSealed: await deps.vault.seal(orgId, evidenceContext(evidenceId), file.base64, subject),
    })
  }
  const excess = excessOf(view.evidence, rows)
  if (excess !== undefined) throw validationError(excess)
  // The version keeps two calls at the same moment from exceeding the limits together.
  const after = { ...dispute, version: dispute.version + 1, updatedAt: now }
  try {
    await deps.db.batchInOrg(orgId, [
      updateDispute(orgId, dispute.version, after),
      insertEvidence(orgId, dispute.disputeId, rows),
      auditStatement(caller, orgId, {
        action: 'dispute.add-evidence',
        resourceType: 'dispute',
        resourceId: dispute.disputeId,
        after: { fields: rows.map(({ field }) => field), bytes: rows.map(({ sizeBytes }) => sizeBytes) },
      }),
    ])
  } catch (error) {
    throw isStaleVersion(error) ? changedMeanwhile() : error
  }
  return { ...view, dispute: after, evidence: [...view.evidence, ...rows] }
}

function readFile(base64: string, index: number) {
  const path = `files[${index}].content`
  const bytes = decodeFile(base64)
  if (!bytes) throw validationError(`${path}: is not base64.`, [{ path, message: 'is not base64' }])
  if (bytes.length > fileLimitBytes)
    throw validationError(`${path}: is larger than ${fileLimitBytes} bytes.`, [
      { path, message: `is larger than ${fileLimitBytes} bytes` },
    ])
  const contentType = typeOfFile(bytes)
  if (!contentType)
    throw validationError(`${path}: is neither PDF, JPEG nor PNG.`, [
      { path, message: 'is neither PDF, JPEG nor PNG' },
    ])
  return { bytes, contentType }
}
