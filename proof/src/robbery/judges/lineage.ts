import type { Evidence } from '../evidence.ts'
import type { AuditEntry } from '../people-records.ts'
import type { Violation } from './judge.ts'

/** Somebody gave somebody access, and nobody else said yes to it in the same request. */
type Gift = { readonly orgId: string; readonly giver: string; readonly receiver: string }

/**
 * Nobody decided about what they had proposed, or what somebody had proposed who is of one lineage with them. Who gave
 * whom access stands in the audit log; the whole run is younger than the time after which that is forgotten. In every
 * organisation there is somebody unrelated who could decide, so there is no exception for those who are alone.
 */
export function empoweredDecided(evidence: Evidence): Violation[] {
  const { audit, startedBy, operators } = evidence
  const agreed = new Set(
    audit.filter(({ action }) => action === 'change-request.approve').map(({ requestId }) => requestId),
  )
  const approvers = new Map<string, string[]>()
  const isOperators = (userId: string): boolean => operators.known.includes(userId)
  let gifts: Gift[] = []
  const found: Violation[] = []
  for (const entry of audit) {
    const { action, orgId, userId, resourceId } = entry
    const others = takenPart(entry, { startedBy, approvers })
    const relative = others?.find((other) => isOneLineage(gifts, isOperators, [userId, other]))
    if (relative !== undefined)
      found.push({
        judge: 'empowered decided',
        subject: resourceId,
        problem: `${action} by ${userId}, ${relative === userId ? 'who took part in it' : `who is of one lineage with ${relative}`}`,
      })
    if (others) approvers.set(resourceId, [...(approvers.get(resourceId) ?? []), userId])
    if (action === 'member.confirm')
      gifts = gifts.filter(
        (one) => one.orgId !== orgId || one.receiver !== resourceId || one.giver === userId,
      )
    if (entry.gives && !agreed.has(entry.requestId) && userId !== resourceId)
      gifts.push({ orgId, giver: userId, receiver: resourceId })
  }
  return found
}

type Known = Pick<Evidence, 'startedBy'> & { approvers: ReadonlyMap<string, readonly string[]> }

/** If somebody agreed to something here: who had taken part in it before. */
function takenPart(entry: AuditEntry, { startedBy, approvers }: Known): readonly string[] | undefined {
  const before = approvers.get(entry.resourceId) ?? []
  const starter = startedBy.get(entry.resourceId)
  switch (entry.action) {
    case 'change-request.approve':
      // Of two operators each is independent of the other, and not of whoever asked them.
      return [entry.reviewedBy ?? entry.requestedBy ?? '']
    case 'member.confirm':
      return [entry.resourceId]
    case 'payment.approve':
    case 'payment.confirm':
    case 'payout-batch.approved':
      return [...(starter === undefined ? [] : [starter]), ...before]
    default:
      return undefined
  }
}

function isOneLineage(
  gifts: readonly Gift[],
  isOperators: (userId: string) => boolean,
  [one, other]: readonly [string, string],
): boolean {
  if (one === other) return true
  if (ancestors(gifts, one).has(other) || ancestors(gifts, other).has(one)) return true
  // The operator admits the first people of every organisation, who are not related by that.
  const among = gifts.filter(({ giver }) => !isOperators(giver))
  const shared = ancestors(among, one).intersection(ancestors(among, other))
  return shared.size > 0
}

/** Whoever gave this person access, and whoever gave it to those. */
function ancestors(gifts: readonly Gift[], userId: string): Set<string> {
  const known = new Set<string>()
  const ask = [userId]
  for (let person = ask.pop(); person !== undefined; person = ask.pop())
    for (const { giver, receiver } of gifts)
      if (receiver === person && !known.has(giver)) {
        known.add(giver)
        ask.push(giver)
      }
  return known
}

/** One operator acts while the others never do, so nothing may have happened that takes two of them. */
export function operatorAlone({ operators }: Evidence): Violation[] {
  const of = (subject: string, problem: string): Violation => ({ judge: 'operator alone', subject, problem })
  return [
    ...operators.added.map((userId) => of(userId, 'became an operator')),
    ...operators.limits.map(({ orgId, minor, currency }) =>
      of(orgId, `may go ${minor} ${currency} below zero`),
    ),
    ...operators.waived.map((orgId) => of(orgId, 'pays out without a verification, or at another margin')),
    ...operators.adjusted.map(({ orgId, minor, currency }) =>
      of(orgId, `${minor} ${currency} of pooled money were adjusted`),
    ),
    ...operators.schedules.map((orgId) => of(orgId, 'has a fee schedule')),
  ]
}
