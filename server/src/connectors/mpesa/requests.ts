import { constants, publicEncrypt } from 'node:crypto'
import type { Attempt, ConnectorContext } from '../kit/connector.ts'
import { phoneDigits } from '../kit/phone.ts'
import { addressOf, type Address } from './callback.ts'
import type { Initiator, MpesaCredentials } from './credentials.ts'

type Context = ConnectorContext<MpesaCredentials>

const kenyaAheadMs = 10_800_000
const characterLimits = { reference: 12, description: 13, remarks: 100 } as const

/** Every request about a prompt contains the passkey in base64, combined with the time in Kenya. */
export function signedFields({ credentials, clock }: Context) {
  const { shortCode, passkey } = credentials
  const kenyan = new Date(clock.now().getTime() + kenyaAheadMs).toISOString()
  const Timestamp = kenyan.replaceAll(/\D/g, '').slice(0, 14)
  const Password = Buffer.from(`${shortCode}${passkey}${Timestamp}`).toString('base64')
  return { BusinessShortCode: shortCode, Password, Timestamp }
}

export const shillingsOf = ({ amountMinor }: Attempt['amount']): string | undefined =>
  amountMinor % 100n === 0n ? String(amountMinor / 100n) : undefined

export interface Order {
  reference: string
  amount: string
  phoneNumber: string
  description: string
}

export function pushRequest(
  context: Context,
  { reference, amount, phoneNumber, description }: Order,
): object {
  const { shortCode, transactionType, partyB = shortCode } = context.credentials
  const phone = phoneDigits(phoneNumber, 'KE')
  return {
    ...signedFields(context),
    TransactionType: transactionType,
    Amount: amount,
    PartyA: phone,
    PartyB: partyB,
    PhoneNumber: phone,
    CallBackURL: addressOf(context, { reference, subject: 'attempt', kind: 'result' }),
    AccountReference: reference.replaceAll('-', '').slice(0, characterLimits.reference),
    TransactionDesc: plain(description).slice(0, characterLimits.description),
  }
}

export function payoutRequest(context: Context, initiator: Initiator, order: Order): object {
  const { reference, amount, phoneNumber, description } = order
  return {
    OriginatorConversationID: reference,
    InitiatorName: initiator.name,
    CommandID: initiator.commandId,
    Amount: amount,
    PartyA: initiator.shortCode ?? context.credentials.shortCode,
    PartyB: phoneDigits(phoneNumber, 'KE'),
    Occassion: '',
    ...commandFields(context, initiator, { reference, subject: 'attempt', kind: 'result' }),
    Remarks: plain(description).slice(0, characterLimits.remarks),
  }
}

export const reversalRequest = (
  context: Context,
  initiator: Initiator,
  { reference, receipt, amount }: { reference: string; receipt: string; amount: string },
): object => ({
  Initiator: initiator.name,
  CommandID: 'TransactionReversal',
  TransactionID: receipt,
  Amount: amount,
  ReceiverParty: context.credentials.shortCode,
  RecieverIdentifierType: '11',
  Occasion: '',
  ...commandFields(context, initiator, { reference, subject: 'refund', kind: 'result' }),
})

export const statusRequest = (
  context: Context,
  initiator: Initiator,
  { originator, ...named }: Pick<Address, 'reference' | 'subject'> & { originator: string },
): object => ({
  Initiator: initiator.name,
  CommandID: 'TransactionStatusQuery',
  OriginalConversationID: originator,
  PartyA: initiator.shortCode ?? context.credentials.shortCode,
  IdentifierType: '4',
  Occasion: '',
  ...commandFields(context, initiator, { ...named, kind: 'inquiry' }),
})

const commandFields = (context: Context, initiator: Initiator, named: Omit<Address, 'at'>) => ({
  SecurityCredential: credentialOf(initiator),
  Remarks: 'OK',
  ResultURL: addressOf(context, named),
  QueueTimeOutURL: addressOf(context, { ...named, kind: 'late' }),
})

const credentialOf = ({ password, certificate }: Initiator): string =>
  publicEncrypt({ key: certificate, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(password)).toString(
    'base64',
  )

const plain = (text: string): string => text.replaceAll(/[^\w ]+/g, ' ').trim() || 'Payment'
