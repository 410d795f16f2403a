import type { Connector } from '../kit/connector.ts'
import { holderSchema } from './answers.ts'
import type { PaystackClient } from './client.ts'

/** Sent as text: the file calls both numbers, which would lose leading zeros. */
export const resolveAccount =
  (client: PaystackClient): NonNullable<Connector['resolveAccount']> =>
  async ({ accountNumber = '', bankCode = '' }) => {
    const query = new URLSearchParams({ account_number: accountNumber, bank_code: bankCode })
    const reply = await client(`/bank/resolve?${query.toString()}`)
    if (reply.kind === 'refused' && [400, 404, 422].includes(reply.status)) return { kind: 'not_found' }
    const holder = reply.kind === 'handled' ? holderSchema.safeParse(reply.data).data : undefined
    if (!holder) return { kind: 'unknown', reason: 'the bank did not answer' }
    return { kind: 'found', accountName: holder.account_name }
  }
