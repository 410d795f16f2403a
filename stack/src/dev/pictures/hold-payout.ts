import { setTimeout as delay } from 'node:timers/promises'
import type { Switchyard } from '@switchyard/sdk'
import { connectDatabase } from '@switchyard/server/kernel/db/database.ts'
import { loadList } from '@switchyard/server/domains/compliance/sanctions/lists/load-list.ts'
import { ofacXml, writeListFile } from '@switchyard/server/domains/compliance/sanctions/testing/list-files.ts'
import { systemClock } from '@switchyard/server/lib/clock.ts'
import { createLog } from '@switchyard/server/lib/log.ts'

const pollMs = 500
const patienceMs = 60_000
/** Nobody in it exists. */
const listed = [
  { uid: '36216', first: 'Oluakin', last: 'NDUEZEMI', born: '10 Dec 1948', aka: 'Olu Akim Nduezemi' },
  { uid: '36217', first: 'Tamroz', last: 'QUDLAWI' },
]

/** Pays somebody who possibly is on a list that is loaded meanwhile. Returns the payment, which waits. */
export async function holdPayout(client: Switchyard, databaseUrl: string): Promise<string> {
  const { beneficiary_id } = await client.beneficiaries.create({
    fname: 'Olu Akin',
    lname: 'Nduezemi',
    country: 'NG',
    currency: 'NGN',
    account_type: 'bank',
    email: 'olu@example.com',
    bank_details: { account_number: '0690000049', bank_code: '044', bank_name: 'Access Bank' },
  })
  await loadInvented(databaseUrl)
  const end = Date.now() + patienceMs
  while ((await client.screening.listMatches({ beneficiary_id }).firstPage()).data.length === 0) {
    if (Date.now() > end) throw new Error('nobody was screened by the list')
    await delay(pollMs)
  }
  const { payment_id } = await client.payments.initiate({
    amount: '185000',
    target_amount: '185000',
    currency: 'NGN',
    target_currency: 'NGN',
    direction: 'payout',
    country: 'NG',
    payment_method: 'bank_transfer',
    beneficiary_id,
    client_reference: 'invoice-2041',
  })
  return payment_id
}

async function loadInvented(url: string): Promise<void> {
  const db = connectDatabase({ appUrl: url, systemUrl: url, poolSize: 2 })
  try {
    const path = await writeListFile('sdn.xml', ofacXml(listed))
    const deps = { db, clock: systemClock, log: createLog('silent') }
    await loadList(deps, { path, loadedBy: 'Ada Nwosu', allowsShrinking: true })
  } finally {
    await db.close()
  }
}
