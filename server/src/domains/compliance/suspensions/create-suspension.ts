import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound, validationError } from '../../../lib/errors.ts'
import { isUuid, newId } from '../../../lib/ids.ts'
import type { Log } from '../../../lib/log.ts'
import { findApiKeyIn } from '../../people/api-keys/reads.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { findMemberIn, listOperatorsAcrossOrgs } from '../../people/organizations/members/reads.ts'
import { getOrganizationIn } from '../../people/organizations/reads.ts'
import { findAnyAccountAcrossOrgs } from '../../providers/accounts/reads.ts'
import { lastOperator, ownCredential } from './errors.ts'
import type { SuspendedSubject, Suspension, SuspensionDeps, SuspensionTarget } from './record.ts'
import { leavesAnOperator } from './rules.ts'
import { toAudited } from './schema.ts'
import {
  awaitSendersAcrossOrgs,
  findInForceAcrossOrgs,
  insertSuspensionAcrossOrgs,
  lockSuspendingAcrossOrgs,
  selectSuspendedMembersAcrossOrgs,
} from './store.ts'

const sendersTimeoutMs = 800

/**
 * Suspends at once and needs one person. It returns when whatever began to be sent before has been committed: from then
 * on every process refuses. A subject that is suspended already keeps its suspension.
 */
export async function createSuspension(
  deps: SuspensionDeps & { log: Log },
  caller: Caller,
  input: SuspensionTarget & { reason: string },
): Promise<{ suspension: Suspension; isNew: boolean }> {
  const created = await deps.db.acrossOrgs(async (tx) => {
    await lockSuspendingAcrossOrgs(tx)
    const subject = await resolveSubject(tx, input)
    const known = await findInForceAcrossOrgs(tx, subject)
    if (known) return { suspension: known, isNew: false }
    await assertSuspendable(tx, caller, subject)
    const suspension = await insertSuspensionAcrossOrgs(tx, {
      ...subject,
      suspensionId: newId(),
      reason: input.reason,
      suspendedBy: caller.userId,
      suspendedAt: deps.clock.now(),
    })
    if (!suspension) throw new Error('a suspension was written although suspending is serialised')
    await recordAudit(tx, caller, subject.orgId, {
      action: 'suspension.create',
      resourceType: 'suspension',
      resourceId: suspension.suspensionId,
      after: toAudited(suspension),
    })
    return { suspension, isNew: true }
  })
  deps.corridors.invalidate()
  // It is in force already; a sender that hangs for longer is cut off by its own timeout.
  await deps.db
    .acrossOrgs((tx) => awaitSendersAcrossOrgs(tx, sendersTimeoutMs))
    .catch((error: unknown) => deps.log.warn({ err: error }, 'a sender outlasts the start of a suspension'))
  return created
}

async function assertSuspendable(
  tx: Tx,
  { credential }: Caller,
  { orgId, kind, subjectId, userId }: SuspendedSubject,
): Promise<void> {
  if (kind === 'api_key' && credential.kind === 'api_key' && credential.apiKeyId === subjectId)
    throw ownCredential()
  if (kind !== 'member' || userId === null) return
  const operators = await listOperatorsAcrossOrgs(tx)
  const isOperator = operators.some((one) => one.orgId === orgId && one.userId === userId)
  if (!isOperator) return
  const suspended = await selectSuspendedMembersAcrossOrgs(tx)
  if (!leavesAnOperator(operators, suspended, { orgId, userId })) throw lastOperator()
}

async function resolveSubject(tx: Tx, target: SuspensionTarget): Promise<SuspendedSubject> {
  const { kind } = target
  switch (kind) {
    case 'payouts':
      return { kind, orgId: installationOrgId, subjectId: installationOrgId, userId: null }
    case 'organization': {
      const { orgId } = await getOrganizationIn(tx, uuidOf(target.subjectId))
      return { kind, orgId, subjectId: orgId, userId: null }
    }
    case 'member': {
      const member = await findMemberIn(tx, required('org_id', target.orgId), subjectOf(target))
      if (!member) throw notFound('The member')
      return { kind, orgId: member.orgId, subjectId: member.userId, userId: member.userId }
    }
    case 'api_key': {
      const key = await findApiKeyIn(tx, required('org_id', target.orgId), uuidOf(target.subjectId))
      if (!key) throw notFound('The API key')
      return { kind, orgId: key.orgId, subjectId: key.apiKeyId, userId: key.userId }
    }
    case 'provider_account': {
      const account = await findAnyAccountAcrossOrgs(tx, uuidOf(target.subjectId))
      if (!account) throw notFound('The provider account')
      return { kind, orgId: account.orgId, subjectId: account.accountId, userId: null }
    }
  }
}

const subjectOf = ({ subjectId }: SuspensionTarget): string => required('subject_id', subjectId)

function required(path: string, value: string | undefined): string {
  if (value === undefined) throw validationError(`${path}: is required for this kind.`)
  return value
}

function uuidOf(subjectId: string | undefined): string {
  const id = required('subject_id', subjectId)
  if (!isUuid(id)) throw validationError('subject_id: must be a UUID for this kind.')
  return id
}
