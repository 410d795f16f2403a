import type { Connector, ConnectorContext } from '../kit/connector.ts'
import { declinedResponse, notPreparedResponse } from '../kit/dispute-replies.ts'
import {
  reasonFrom,
  type DisputeMove,
  type DisputeOutcome,
  type DisputeReason,
  type DisputeState,
  type EvidenceFile,
  type ProviderDispute,
} from '../kit/disputes.ts'
import { readWireMoney } from '../kit/provider-exponents.ts'
import { readData, type Reply } from '../kit/replies.ts'
import { defenseReasonsSchema, serviceResultSchema, type Item } from './answers.ts'
import { createClient, type AdyenClient } from './client.ts'
import type { AdyenCredentials } from './credentials.ts'
import { linkMark } from './requests.ts'
import { itemsOf } from './webhook.ts'

interface Meaning {
  state?: DisputeState
  round?: 2
  /** How often the money has moved by then, or only where it is. */
  moves?: number
  isWithdrawn?: boolean
}

/** The event code is signed, so state and money follow from it alone. */
const meanings: Readonly<Record<string, Meaning>> = {
  NOTIFICATION_OF_FRAUD: { state: 'warning' },
  REQUEST_FOR_INFORMATION: { state: 'warning' },
  NOTIFICATION_OF_CHARGEBACK: { state: 'needs_response' },
  CHARGEBACK: { state: 'needs_response', moves: 1 },
  INFORMATION_SUPPLIED: { state: 'under_review' },
  // The bank may still present a second chargeback.
  CHARGEBACK_REVERSED: { state: 'won', moves: 2 },
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { state: 'won' },
  DISPUTE_DEFENSE_PERIOD_ENDED: { state: 'lost' },
  SECOND_CHARGEBACK: { state: 'lost', round: 2, moves: 3 },
  PREARBITRATION_WON: { state: 'won', round: 2, isWithdrawn: false },
  PREARBITRATION_LOST: { state: 'lost', round: 2, isWithdrawn: true },
  PREARBITRATION_ISSUER_WITHDRAWN: { state: 'won', round: 2, isWithdrawn: false },
  SCHEME_ARBITRATION_WON: { state: 'won', round: 2, isWithdrawn: false },
  SCHEME_ARBITRATION_LOST: { state: 'lost', round: 2, isWithdrawn: true },
}

/** Reason codes of Visa and Mastercard. */
const reasons: Readonly<Record<string, DisputeReason>> = {
  '10.1': 'fraudulent',
  '10.2': 'fraudulent',
  '10.3': 'fraudulent',
  '10.4': 'fraudulent',
  '10.5': 'fraudulent',
  '11.1': 'authorization',
  '11.2': 'authorization',
  '11.3': 'authorization',
  '12.5': 'incorrect_amount',
  '12.6': 'duplicate',
  '12.6.1': 'duplicate',
  '12.6.2': 'duplicate',
  '13.1': 'not_received',
  '13.2': 'canceled',
  '13.3': 'not_as_described',
  '13.6': 'credit_not_processed',
  '13.7': 'canceled',
  '4808': 'authorization',
  '4834': 'duplicate',
  '4837': 'fraudulent',
  '4853': 'not_as_described',
  '4863': 'unrecognized',
}

export function readDisputes(credentials: AdyenCredentials, rawBody: Buffer): ProviderDispute[] {
  return itemsOf(rawBody).flatMap((item) => readItem(credentials, item))
}

function readItem({ ownExponents }: AdyenCredentials, item: Item): ProviderDispute[] {
  const { eventCode, success, pspReference, merchantReference, additionalData } = item
  const meaning = Object.hasOwn(meanings, eventCode) ? meanings[eventCode] : undefined
  const amount = readWireMoney(item.amount, ownExponents)
  if (!meaning || success !== 'true' || !amount) return []
  const { state, round = 1, moves, isWithdrawn } = meaning
  const [reference = ''] = merchantReference.split(linkMark)
  const dueBy = new Date(additionalData.defensePeriodEndsAt ?? '')
  const move: DisputeMove = { amount }
  return [
    {
      dedupeKey: ['dispute', eventCode, pspReference].join(':'),
      providerRef: pspReference,
      payment: { reference },
      state,
      round,
      providerStatus: eventCode,
      reason: reasonFrom(reasons, additionalData.chargebackReasonCode ?? ''),
      providerReason: [additionalData.chargebackSchemeCode, additionalData.chargebackReasonCode]
        .filter((part) => !!part)
        .join(' '),
      amount,
      dueBy: Number.isNaN(dueBy.getTime()) ? undefined : dueBy,
      ...(moves !== undefined && { funds: { moves: Array.from({ length: moves }, () => move) } }),
      ...(isWithdrawn !== undefined && { funds: { isWithdrawn, amount } }),
      ...(eventCode === 'INFORMATION_SUPPLIED' && { hasEvidence: true }),
    },
  ]
}

/** Adyen has neither a lookup nor a list of disputes: its webhooks decide. It takes documents and no texts. */
export function adyenDisputes({
  http,
  credentials,
}: ConnectorContext<AdyenCredentials>): Pick<Connector, 'submitEvidence' | 'acceptDispute'> {
  const client = createClient(http, { baseUrl: credentials.disputesUrl, apiKey: credentials.apiKey })
  const subject = (disputePspReference: string) => ({
    disputePspReference,
    merchantAccountCode: credentials.merchantAccount,
  })
  return {
    submitEvidence: async ({ providerRef, reference }, { files, texts }) => {
      if (files.length === 0) return declinedResponse('Adyen takes documents only. Add a file.')
      const named = subject(providerRef)
      const prepared = await prepareDefense(client, named, { reference, files, wanted: texts.defense_reason })
      if (typeof prepared !== 'string') return prepared
      const body = { ...named, defenseReasonCode: prepared }
      return outcomeOf(await client('/defendDispute', body, reference))
    },
    acceptDispute: async ({ providerRef, reference }) =>
      outcomeOf(await client('/acceptDispute', subject(providerRef), reference)),
  }
}

/** Uploads the documents and returns the reason to defend with. Nothing is decided before `defendDispute`. */
async function prepareDefense(
  client: AdyenClient,
  subject: object,
  defense: { reference: string; files: readonly EvidenceFile[]; wanted: string | undefined },
): Promise<string | DisputeOutcome> {
  const { reference, files, wanted } = defense
  const listed = await client('/retrieveApplicableDefenseReasons', subject, `${reference}-reasons`)
  const offered = readData(listed, defenseReasonsSchema)?.defenseReasons ?? []
  const reason = offered.find((one) => one.defenseReasonCode === wanted) ?? offered[0]
  if (!reason) return notPreparedResponse(listed, 'Adyen offers no reason to defend this dispute.')
  const types = reason.defenseDocumentTypes ?? []
  const type = types.find((one) => one.requirementLevel === 'Required') ?? types[0]
  const defenseDocuments = files.map((file) => ({
    content: file.bytes.toString('base64'),
    contentType: file.contentType === 'image/jpeg' ? 'image/jpg' : file.contentType,
    defenseDocumentTypeCode: type?.defenseDocumentTypeCode ?? 'DefenseMaterial',
  }))
  const body = { ...subject, defenseDocuments }
  const supplied = await client('/supplyDefenseDocument', body, `${reference}-documents`)
  const result = readData(supplied, serviceResultSchema)?.disputeServiceResult
  if (result?.success === true) return reason.defenseReasonCode
  return result
    ? declinedResponse('Adyen did not take the documents. It takes PDF and JPEG.')
    : notPreparedResponse(supplied, 'Adyen did not take the documents.')
}

/** A refusal inside a 200 may be that of a repeat, so the webhooks decide. */
function outcomeOf(reply: Reply): DisputeOutcome {
  const result = readData(reply, serviceResultSchema)?.disputeServiceResult
  if (result?.success === true) return { kind: 'accepted' }
  if (reply.kind === 'not_sent') return reply
  if (reply.kind === 'refused' && [401, 403, 422].includes(reply.status))
    return declinedResponse('Adyen refused the response.')
  return { kind: 'unknown', reason: 'reason' in reply ? reply.reason : 'Adyen did not confirm it' }
}
