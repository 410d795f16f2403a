import { waitUntil } from '@switchyard/stack/services/wait-until.ts'

const body = JSON.stringify({
  amount: 5000,
  currency: 'UGX',
  target_amount: 5000,
  target_currency: 'UGX',
  direction: 'payin',
  payment_method: 'mobile_money',
  country: 'UG',
  payer_details: { name: 'Grace' },
  mobile_money_details: { provider: 'MTN', phone_number: '256783456789' },
})

/** As in README.md: a customer pays by mobile money, and the provider's webhook completes the payment. */
export async function makeFirstPayment(api: string, key: string): Promise<string> {
  const headers = { authorization: 'NONE', 'x-api-key': key, 'content-type': 'application/json' }
  const initiated = await fetch(`${api}/payments-init/initiate`, { method: 'POST', headers, body })
  const answer: { response?: { payment_id?: string } } = JSON.parse(await initiated.text())
  const paymentId = answer.response?.payment_id
  if (paymentId === undefined) throw new Error(`the api answered ${initiated.status}, without a payment`)
  const isCompleted = async (): Promise<boolean> => {
    const record = await fetch(`${api}/payments/transaction/${paymentId}`, { headers })
    return (await record.text()).includes('"status":"completed"')
  }
  await waitUntil(isCompleted, { timeoutMs: 30_000, what: 'the payment to complete' })
  return paymentId
}
