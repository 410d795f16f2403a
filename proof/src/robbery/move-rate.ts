import type { RobberyInstallation } from './installation.ts'

/** As if more than a day had gone by since the payment was completed. */
export async function ageByADay({ owner, witness }: RobberyInstallation, paymentId: string): Promise<void> {
  await owner.query(`update attempts set ended_at = ended_at - interval '25 hours' where payment_id = $1`, [
    paymentId,
  ])
  witness.aged.add(paymentId)
}

/** Moves the market: the feed, what the installation has read from it, and what the judges know. */
export async function setRate(
  { simulatorUrl, owner, witness }: RobberyInstallation,
  currency: string,
  perUsd: number,
): Promise<void> {
  const response = await fetch(`${simulatorUrl}/rates`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rates: { [currency]: String(perUsd) } }),
  })
  if (!response.ok) throw new Error(`the feed did not take the rate: ${response.status}`)
  await owner.query('update market_rates set per_usd = $2, as_of = now() where currency = $1', [
    currency,
    perUsd,
  ])
  witness.rates.push({ atMs: Date.now(), currency, perUsd })
}
