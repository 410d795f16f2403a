import type { Attempt, Connector, ConnectorContext, Inquiry } from '../kit/connector.ts'
import { withQuery } from '../kit/form-body.ts'
import type { ProviderTransaction } from '../kit/lists.ts'
import { declined } from '../kit/reasons.ts'
import { readData, type Reading } from '../kit/replies.ts'
import { readWireMoney, wireMoney, type ProviderExponents } from '../kit/provider-exponents.ts'
import { transferPageSchema, transferSchema, type Transfer } from './answers.ts'
import { createClient, type AdyenClient } from './client.ts'
import type { AdyenCredentials, Transfers } from './credentials.ts'
import { depositOf, isIncoming, isUnexplained } from './deposits.ts'
import { inquiryOf, outcomeOf, transferRefusal, transferState } from './mapping.ts'
import { transferRequest } from './requests.ts'

/** The period to search around the attempt's creation: clocks differ, and a request may arrive late. */
const windowMs = { before: 3_600_000, after: 86_400_000 }

type TransferParts = Required<Pick<Connector, 'payout' | 'inquire' | 'listTransactions'>>

export function createTransfers(context: ConnectorContext<AdyenCredentials>, transfers: Transfers) {
  const client = createClient(context.http, transfers)
  const { ownExponents } = context.credentials
  const { balanceAccountId } = transfers
  const parts: TransferParts = {
    payout: async (attempt, payee) => {
      const amount = wireMoney(attempt.amount, ownExponents)
      if (!amount) return declined('AMOUNT_NOT_ALLOWED')
      const body = transferRequest(transfers, attempt, payee, amount)
      const reply = await client('/transfers', body, attempt.reference)
      const read = readTransfer(attempt, ownExponents)
      const answer = reply.kind === 'handled' && read(reply.data) && transferSchema.parse(reply.data)
      return (answer && transferRefusal(answer)) || outcomeOf(reply, read)
    },
    inquire: (attempt) => inquire(client, attempt, readTransfer(attempt, ownExponents), balanceAccountId),
    listTransactions: async (since, cursor) => {
      const window = { createdSince: since.toISOString(), createdUntil: context.clock.now().toISOString() }
      const query = { balanceAccountId, category: 'bank', ...window, ...(cursor !== null && { cursor }) }
      const page = readData(await client(withQuery('/transfers', query)), transferPageSchema)
      if (!page) throw new Error('Adyen returned no list of transfers')
      const transactions = page.data.flatMap((transfer) => rowsOf(context.credentials, transfer, since))
      const next = page._links?.next?.href
      return { transactions, nextCursor: next ? new URL(next).searchParams.get('cursor') : null }
    },
  }
  return parts
}

function rowsOf(credentials: AdyenCredentials, transfer: Transfer, since: Date): ProviderTransaction[] {
  const { id, status } = transfer
  const amount = readWireMoney(transfer.amount, credentials.ownExponents)
  if (!amount) return []
  const createdAt = new Date(transfer.createdAt ?? since)
  const row = { amount, providerStatus: status, state: transferState(transfer), createdAt }
  if (!isIncoming(transfer))
    return [{ ...row, reference: transfer.reference ?? null, providerRef: id, direction: 'payout' }]
  const deposit = depositOf(credentials, transfer)
  if (deposit) return [{ ...row, reference: null, providerRef: id, direction: 'payin', deposit }]
  if (!isUnexplained(credentials, transfer)) return []
  // A deposit that was booked and later returned must not hide its return, so that has a name of its own.
  return [{ ...row, reference: null, providerRef: `${id} ${status}`, direction: 'payout' }]
}

const readTransfer =
  ({ reference }: Attempt, own: ProviderExponents): Reading =>
  (data) => {
    const transfer = transferSchema.safeParse(data).data
    const amount = transfer && readWireMoney(transfer.amount, own)
    if (transfer?.reference !== reference || isIncoming(transfer) || !amount) return undefined
    const { id: providerRef, status: providerStatus } = transfer
    return { kind: 'accepted', providerRef, providerStatus, state: transferState(transfer), amount }
  }

/** Without Adyen's id, the transfer is searched by our reference in the period in which it may have arrived. */
async function inquire(
  client: AdyenClient,
  { providerRef, reference, createdAt }: Attempt,
  read: Reading,
  balanceAccountId: string,
): Promise<Inquiry> {
  if (providerRef !== null)
    return inquiryOf(await client(`/transfers/${encodeURIComponent(providerRef)}`), read)
  const at = (shiftMs: number) => new Date(createdAt.getTime() + shiftMs).toISOString()
  const window = { createdSince: at(-windowMs.before), createdUntil: at(windowMs.after) }
  const query = { balanceAccountId, reference, ...window }
  const page = readData(await client(withQuery('/transfers', query)), transferPageSchema)
  const data = page?.data.find((transfer) => transfer.reference === reference && !isIncoming(transfer))
  if (!data && page && !page._links?.next) return { kind: 'not_found' }
  return inquiryOf({ kind: 'handled', data, meta: null }, read)
}
