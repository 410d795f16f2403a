import type { KybHeaders, KybNews, KybProvider } from '../../../connectors/kit/kyb-provider.ts'
import { redactCardNumbers } from '../../../lib/instruments/card-number.ts'
import type { Clock } from '../../../lib/clock.ts'
import { isUuid } from '../../../lib/ids.ts'
import { queueNotification } from '../../people/notifications/queue-notification.ts'
import { listAdministrators } from '../../people/organizations/members/reads.ts'
import { buildEvent } from '../../events/webhooks/build-event.ts'
import type { Identity, OrganizationKyb } from '../../people/organizations/record.ts'
import { stillVerified } from '../../people/organizations/rules.ts'
import { findOrgByKybCustomer, lockKyb, updateKyb } from '../../people/organizations/update-kyb.ts'
import { recordEvent } from '../../events/webhooks/publish-events.ts'
import type { NewEvent } from '../../events/webhooks/record.ts'
import { forgedKybWebhook, kybNotSetUp, unreadableKybWebhook } from './errors.ts'
import type { KybDeps } from './record.ts'
import { isNews } from './rules.ts'
import { insertKybNews } from './store.ts'

export interface KybWebhookDeps extends KybDeps {
  clock: Clock
}

/** A webhook may be forged, repeated, late, out of order or about another installation: none of these does harm. */
export async function receiveKybWebhook(
  deps: KybWebhookDeps,
  request: { headers: KybHeaders; rawBody: Buffer },
): Promise<void> {
  const { kyb } = deps
  if (!kyb) throw kybNotSetUp()
  if (!kyb.verifyWebhook(request)) throw forgedKybWebhook()
  const news = readNews(kyb, request.rawBody)
  const orgId = news && (await findOrgOf(deps, news))
  if (!news || orgId === undefined) {
    deps.log.info({ provider: kyb.name, customerId: news?.customerId }, 'KYB webhook matches no organisation')
    return
  }
  await receiveNews(deps, orgId, { ...news, reason: redactedReason(news.reason) })
}

function findOrgOf(deps: KybDeps, { customerId, orgId }: KybNews): Promise<string | undefined> {
  const named = orgId !== undefined && isUuid(orgId) ? orgId : undefined
  return deps.db.acrossOrgs((tx) => findOrgByKybCustomer(tx, { customerId, orgId: named }))
}

function readNews(kyb: KybProvider, rawBody: Buffer): KybNews | undefined {
  try {
    return kyb.readWebhook(rawBody)
  } catch {
    throw unreadableKybWebhook()
  }
}

/** The reason is the reviewer's own text. */
const redactedReason = (reason: KybNews['reason']): KybNews['reason'] =>
  typeof reason === 'string' ? redactCardNumbers(reason) : reason

async function receiveNews(deps: KybWebhookDeps, orgId: string, news: KybNews): Promise<void> {
  const administrators = await listAdministrators(deps, orgId)
  await deps.db.inOrg(orgId, async (tx) => {
    const known = await lockKyb(tx, orgId)
    if (!known) return
    const isFresh = isNews(known, news)
    const result = isFresh ? 'applied' : 'older than what is known'
    if (!(await insertKybNews(tx, orgId, { dedupeKey: news.dedupeKey, news: news.status, result }))) return
    if (!isFresh) return
    const decided = decisionOf(known, news)
    await updateKyb(tx, orgId, {
      status: news.status,
      customerId: news.customerId,
      reason: news.reason,
      isFinal: news.isFinal,
      newsAt: news.at,
      eventCount: known.eventCount + (decided ? 1 : 0),
      ...(news.status === 'approved' && { verified: stillVerified(verifiedNow(known), known) }),
    })
    if (!decided) return
    await recordEvent(tx, orgId, decisionEvent(known, decided, news, deps.clock.now()))
    for (const { userId, email, firstName, country } of administrators)
      await queueNotification(tx, orgId, {
        userId,
        template: 'kyb-decided',
        recipient: email,
        country,
        priority: 'high',
        variables: { firstName, orgName: known.name, outcome: decided, reason: news.reason ?? '' },
      })
  })
}

/** What an approval confirms: what the verification was started with, not what it was changed to since. */
const verifiedNow = ({ submitted, verified, name, country }: OrganizationKyb): Identity =>
  submitted ?? verified ?? { name, country }

/** Undefined when the provider repeats a decision, so that each is published once. */
function decisionOf(known: OrganizationKyb, news: KybNews): 'approved' | 'rejected' | undefined {
  if (news.status !== 'approved' && news.status !== 'rejected') return undefined
  return news.status === known.status ? undefined : news.status
}

const decisionEvent = (
  known: OrganizationKyb,
  decided: 'approved' | 'rejected',
  news: KybNews,
  now: Date,
): NewEvent =>
  buildEvent(`kyb.${decided}`, {
    resourceId: known.orgId,
    createdAt: now,
    data: {
      org_id: known.orgId,
      kyb_status: decided,
      reason: news.reason,
      can_resubmit: decided === 'rejected' && !news.isFinal,
      updated_at: now.toISOString(),
      sequence: known.eventCount + 1,
    },
  })
