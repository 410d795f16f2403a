import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Dispute, DisputeAction, DisputeProtocol, DisputeStep } from '../../core/dispute.ts'
import type { Kit, Route } from '../../protocol.ts'
import { detailsOf } from './payments.ts'
import {
  amountOf,
  invalidField,
  isOwnMerchant,
  newPspReference,
  parseRequest,
  refused,
  wrongMerchant,
} from './wire.ts'

/** All messages of a dispute have its pspReference; the signature covers nothing in `additionalData`. */
export const disputes: DisputeProtocol = {
  newId: newPspReference,
  play,
  draftOf: (dispute, eventCode, payment) => {
    const { merchantAccount, merchantReference } = detailsOf(payment)
    const item = {
      additionalData: {
        hmacSignature: '',
        chargebackReasonCode: dispute.reason === 'fraudulent' ? '10.4' : dispute.reason,
        chargebackSchemeCode: 'visa',
        defendable: 'true',
        defensePeriodEndsAt: dispute.dueAt,
        disputeStatus: dispute.status,
      },
      amount: amountOf(dispute),
      eventCode,
      eventDate: dispute.updatedAt,
      merchantAccountCode: merchantAccount,
      merchantReference,
      originalReference: payment.providerRef,
      paymentMethod: 'visa',
      pspReference: dispute.id,
      reason: 'Other Fraud-Card Absent Environment',
      success: 'true',
    }
    const body = JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] })
    return { event: eventCode, body, contentType: 'application/json; charset=utf-8' }
  },
}

const step = (event: string, change: Partial<Dispute>): DisputeStep => ({ event, change })

function play(dispute: Dispute, action: DisputeAction): DisputeStep[] {
  const { moves } = dispute
  const withdrawn = moves % 2 === 0 ? [step('CHARGEBACK', { status: 'Undefended', moves: moves + 1 })] : []
  switch (action) {
    case 'warn':
      return [step('REQUEST_FOR_INFORMATION', { status: 'Undefended' })]
    case 'open':
      return [step('NOTIFICATION_OF_CHARGEBACK', { status: 'Undefended' })]
    case 'withdraw':
      return withdrawn
    case 'review':
      return [step('INFORMATION_SUPPLIED', { status: 'Pending', isSubmitted: true })]
    case 'win':
      return moves === 1
        ? [step('CHARGEBACK_REVERSED', { status: 'Pending', moves: 2 })]
        : [step('ISSUER_RESPONSE_TIMEFRAME_EXPIRED', { status: 'Won' })]
    case 'lose':
      return dispute.isSubmitted
        ? [...withdrawn, step('PREARBITRATION_LOST', { status: 'Lost' })]
        : [...withdrawn, step('DISPUTE_DEFENSE_PERIOD_ENDED', { status: 'Expired' })]
    case 'second':
      return [step('SECOND_CHARGEBACK', { status: 'Lost', moves: 3 })]
    case 'remind':
      return []
  }
}

const base = '/adyen/ca/services/DisputeService/v30'

export function disputeRoutes(kit: Kit): Route[] {
  const route = (name: string, handle: (kit: Kit, call: Call) => Answer | Promise<Answer>): Route => ({
    method: 'POST',
    path: `${base}/${name}`,
    on: name === 'acceptDispute' || name === 'defendDispute' ? 'dispute' : 'prepare',
    handle: (call) => handle(kit, call),
  })
  return [
    route('retrieveApplicableDefenseReasons', showReasons),
    route('supplyDefenseDocument', takeDocuments),
    route('defendDispute', defend),
    route('acceptDispute', accept),
  ]
}

const subject = { disputePspReference: z.string(), merchantAccountCode: z.string() }
const documentsSchema = z.object({
  ...subject,
  defenseDocuments: z
    .array(
      z.object({
        content: z.base64(),
        contentType: z.enum(['application/pdf', 'image/jpg', 'image/tiff']),
        defenseDocumentTypeCode: z.string(),
      }),
    )
    .min(1),
})
const REASON = 'SupplyDefenseMaterial'
const DOCUMENT = 'DefenseMaterial'

function found<Input extends { disputePspReference: string; merchantAccountCode: string }>(
  kit: Kit,
  call: Call,
  schema: z.ZodType<Input>,
): { dispute: Dispute; input: Input } | { refusal: Answer } {
  const parsed = parseRequest(schema, call, invalidField)
  if ('refusal' in parsed) return parsed
  const { disputePspReference, merchantAccountCode } = parsed.input
  if (!isOwnMerchant(call, merchantAccountCode)) return { refusal: wrongMerchant() }
  const dispute = kit.disputes.find(call.account.name, disputePspReference)
  return dispute ? { dispute, input: parsed.input } : { refusal: refused(422, '702', 'Dispute not found') }
}

const result = (success: boolean, errorMessage?: string): Answer =>
  json(200, { disputeServiceResult: { success, ...(errorMessage !== undefined && { errorMessage }) } })

function showReasons(kit: Kit, call: Call): Answer {
  const known = found(kit, call, z.object(subject))
  if ('refusal' in known) return known.refusal
  return json(200, {
    defenseReasons: [
      {
        defenseReasonCode: REASON,
        satisfied: known.dispute.evidence.length > 0,
        defenseDocumentTypes: [
          { available: false, defenseDocumentTypeCode: DOCUMENT, requirementLevel: 'Required' },
        ],
      },
    ],
    disputeServiceResult: { success: true },
  })
}

function takeDocuments(kit: Kit, call: Call): Answer {
  const known = found(kit, call, documentsSchema)
  if ('refusal' in known) return known.refusal
  const { dispute, input } = known
  if (input.defenseDocuments.some((one) => one.defenseDocumentTypeCode !== DOCUMENT))
    return result(false, 'The document type is not applicable.')
  kit.disputes.put({ ...dispute, evidence: [...dispute.evidence, ...input.defenseDocuments] })
  return result(true)
}

const isOpen = ({ status }: Dispute): boolean => status === 'Undefended'

async function defend(kit: Kit, call: Call): Promise<Answer> {
  const known = found(kit, call, z.object({ ...subject, defenseReasonCode: z.string() }))
  if ('refusal' in known) return known.refusal
  const { dispute, input } = known
  if (input.defenseReasonCode !== REASON) return result(false, 'The defense reason is not applicable.')
  if (dispute.evidence.length === 0) return result(false, 'A required document is missing.')
  if (!isOpen(dispute)) return result(false, 'The dispute can no longer be defended.')
  await kit.disputes.report(dispute, play(dispute, 'review'))
  return result(true)
}

async function accept(kit: Kit, call: Call): Promise<Answer> {
  const known = found(kit, call, z.object(subject))
  if ('refusal' in known) return known.refusal
  const { dispute } = known
  if (!isOpen(dispute)) return result(false, 'The dispute can no longer be accepted.')
  await kit.disputes.report(dispute, [
    ...(dispute.moves === 0 ? [step('CHARGEBACK', { status: 'Accepted', moves: 1 })] : []),
    step('DISPUTE_DEFENSE_PERIOD_ENDED', { status: 'Accepted' }),
  ])
  return result(true)
}
