import { z } from 'zod'
import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Dispute, DisputeAction, DisputeProtocol, DisputeStep } from '../../core/dispute.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit, Route } from '../../protocol.ts'
import { handled, parseRequest, refused } from './envelope.ts'
import { newId } from './identifiers.ts'
import { chargeDetailsOf } from './present.ts'

const PAGE_SIZE = 20

/** A chargeback is debited when it is accepted or lost; winning it moves no money. */
export const disputes: DisputeProtocol = {
  newId: () => String(newId()),
  play,
  draftOf: (dispute, event, payment) => ({
    event,
    body: JSON.stringify({ event, 'event.type': 'CHARGEBACK', data: presentChargeback(dispute, payment) }),
    contentType: 'application/json',
  }),
}

const step = (event: string, change: Partial<Dispute>): DisputeStep => ({
  event: `chargeback.${event}`,
  change,
})

function play(dispute: Dispute, action: DisputeAction): DisputeStep[] {
  switch (action) {
    case 'open':
    case 'warn':
      return [step('initiated', { status: 'initiated', category: 'new' })]
    case 'remind':
      return [step('updated', { status: dispute.status })]
    case 'review':
      return [step('updated', { status: 'declined', isSubmitted: true })]
    case 'win':
      return [step('updated', { status: 'won' })]
    case 'second':
      return [step('updated', { status: 'lost', category: 'pre-arbitration', moves: 1 })]
    case 'withdraw':
    case 'lose':
      return [step('updated', { status: 'lost', moves: 1 })]
  }
}

function presentChargeback(dispute: Dispute, payment: Transaction) {
  const { id, flwRef } = chargeDetailsOf(payment)
  return {
    id: Number(dispute.id),
    amount: Number(dispute.amount),
    flw_ref: flwRef,
    status: dispute.status,
    stage: dispute.category,
    comment: dispute.reason,
    meta: { uploaded_proof: null, history: [] },
    due_date: dispute.dueAt,
    settlement_id: 'N/A',
    created_at: dispute.createdAt,
    transaction_id: id,
    tx_ref: payment.reference,
  }
}

export function chargebackRoutes(kit: Kit): Route[] {
  const path = '/flutterwave/v3/chargebacks'
  return [
    { method: 'GET', path, on: 'inquire', handle: (call) => listChargebacks(kit, call) },
    {
      method: 'PUT',
      path: `${path}/:id`,
      on: 'dispute',
      reference: (call) => call.params['id'],
      handle: (call) => actOn(kit, call),
    },
  ]
}

const querySchema = z.object({
  from: z.iso.date().optional(),
  id: z.string().optional(),
  page: z.coerce.number().int().min(1).default(1),
})

function listChargebacks(kit: Kit, call: Call): Answer {
  const parsed = parseRequest(querySchema, call.query)
  if ('refusal' in parsed) return parsed.refusal
  const { from, id, page } = parsed.input
  const fromMs = from === undefined ? 0 : Date.parse(from)
  const found = kit.disputes
    .values(call.account.name)
    .filter((one) => Date.parse(one.createdAt) >= fromMs && (id === undefined || one.id === id))
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return handled(
    'Chargebacks fetched',
    shown.flatMap((dispute) => present(kit, dispute)),
    {
      page_info: {
        total: found.length,
        current_page: page,
        total_pages: Math.max(1, Math.ceil(found.length / PAGE_SIZE)),
      },
    },
  )
}

function present(kit: Kit, dispute: Dispute): object[] {
  const { account, payment: reference } = dispute
  const payment = kit.transactions.find({ account, operation: 'collect', reference })
  return payment ? [presentChargeback(dispute, payment)] : []
}

const actionSchema = z.object({ action: z.enum(['accept', 'decline']), comment: z.string().min(1) })

async function actOn(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(actionSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const dispute = kit.disputes.find(call.account.name, call.params['id'] ?? '')
  if (!dispute) return refused(404, 'Chargeback not found')
  if (dispute.status !== 'initiated') return refused(400, 'Chargeback has already been actioned')
  const { action, comment } = parsed.input
  const change =
    action === 'accept' ? { status: 'accepted', moves: 1 } : { status: 'declined', isSubmitted: true }
  const evidence = [...dispute.evidence, { action, comment }]
  const after = await kit.disputes.report(dispute, [step('updated', { ...change, evidence })])
  return handled(`Chargeback ${change.status}`, present(kit, after)[0] ?? null)
}
