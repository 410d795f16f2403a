import { createHmac, createSecretKey, randomUUID } from 'node:crypto'
import { insertPayment, insertAttempt, updatePayment, updateAttempt, insertEvents } from '../../server/src/domains/payments/store.ts'
import { newAttempt } from '../../server/src/domains/payments/new-attempt.ts'
import { initiateBody, initiationResponse, toInitiationResponse } from '../../server/src/domains/payments/initiation-schema.ts'
import { toE164 } from '../../server/src/domains/beneficiaries/schema.ts'
import { parseJson } from '../../server/src/lib/json.ts'
import { hmac } from '../../server/src/lib/crypto.ts'
import { newId } from '../../server/src/lib/ids.ts'
import { eventsFor } from '../../server/src/domains/payments/payment-events.ts'
const now = new Date()
const body = { amount: 5000, target_amount: 5000, currency: 'UGX', target_currency: 'UGX', payment_method: 'mobile_money', direction: 'payin', country: 'UG', client_reference: 'order-' + randomUUID(), payer_details: { name: 'Grace Nakato', email: 'grace@example.com', phone: '256772000113' }, mobile_money_details: { provider: 'MTN', phone_number: '256772000113' } }
const text = JSON.stringify(body)
const p: any = { orgId: newId(), paymentId: newId(), userId: newId(), direction: 'inbound', method: 'mobile_money', country: 'UG', source: { amountMinor: 5000n, currency: 'UGX' }, target: { amountMinor: 5000n, currency: 'UGX' }, status: 'pending', version: 2, eventCount: 3, orgRateId: null, clientReference: 'x', description: null, beneficiaryId: null, provider: 'pawapay', providerPaymentId: null, providerStatus: 'ACCEPTED', card: null, privateSealed: Buffer.alloc(200), nextAction: { type: 'wait' }, routing: { candidates: [{ provider: 'pawapay', configId: newId() }], considered: [{ provider: 'pawapay', configId: newId(), taken: true, reason: 'fits' }] }, failureCode: null, failureMessage: null, returnUrl: null, metadata: null, comments: null, refundedMinor: 0n, requestId: newId(), createdAt: now, updatedAt: now }
const a: any = newAttempt({ attempts: [] } as any, { provider: 'pawapay', configId: newId() } as any, { now, sendDeadlineMs: 30000 } as any)
const key = Buffer.alloc(32, 1), keyObject = createSecretKey(key)
const parsed = initiateBody.parse(body)
const view = toInitiationResponse({ payment: p, attempts: [a] })
const events = () => eventsFor({ previous: 'confirmed', payment: p, moves: ['processing', 'pending'], firstAcceptance: true } as any)
const ev = events()
const cases: Record<string, () => unknown> = {
  insertPayment: () => insertPayment(p.orgId, p), insertAttempt: () => insertAttempt(p.orgId, p.paymentId, a),
  updatePayment: () => updatePayment(p.orgId, 1, p), updateAttempt: () => updateAttempt(p.orgId, p.paymentId, a), insertEvents3: () => insertEvents(p.orgId, ev),
  eventsFor: events,
  'hmac buffer': () => hmac(key, p.orgId), 'hmac keyobject': () => createHmac('sha256', keyObject).update(p.orgId).digest(),
  'zod body': () => initiateBody.parse(body), parseJson: () => parseJson(text, 20), 'JSON.parse': () => JSON.parse(text),
  'zod response': () => initiationResponse.safeParse(view), 'zod encode response': () => JSON.stringify((initiationResponse as any).encode ? (initiationResponse as any).encode(view) : 0), 'stringify response': () => JSON.stringify(view),
  toE164: () => toE164('256772000113', 'UG'), newId: () => newId(),
}
void parsed
for (const [name, run] of Object.entries(cases)) {
  for (let i = 0; i < 3000; i++) run()
  let best = Infinity
  for (let r = 0; r < 7; r++) { const c = process.cpuUsage(); for (let i = 0; i < 2000; i++) run(); const d = process.cpuUsage(c); best = Math.min(best, (d.user + d.system) / 2000) }
  console.log(best.toFixed(1).padStart(8), 'µs', name)
}
