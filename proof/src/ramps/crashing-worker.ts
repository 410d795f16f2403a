import { z } from 'zod'
import type { Database } from '@switchyard/server/kernel/db/database.ts'
import type { Chain, Wallets } from '@switchyard/server/domains/products/ramps/wallet/record.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { runWorker } from '@switchyard/server/main/worker.ts'
import { deliveryPoints, type DeliveryPoint } from './delivery-points.ts'

/**
 * The production worker, except that it kills itself with -9 at the named point of the first
 * delivery that reaches it. It is separate so that no production program can be made to crash.
 */
const env = z.object({ CRASH_POINT: z.enum(deliveryPoints) }).parse(process.env)

const pass = (point: DeliveryPoint): void => {
  if (point === env.CRASH_POINT) process.kill(process.pid, 'SIGKILL')
}

let hasNonce = false

/** Wraps the chain's client: the nonce is assigned between two of its calls. */
const watchedChain = (chain: Chain): Chain => ({
  ...chain,
  client: {
    ...chain.client,
    async getTransactionCount(request) {
      const count = await chain.client.getTransactionCount(request)
      if (request.blockTag === 'latest') {
        pass('before_the_nonce')
        hasNonce = true
      }
      return count
    },
    async getBlockNumber(request) {
      if (hasNonce) pass('after_the_nonce')
      hasNonce = false
      return chain.client.getBlockNumber(request)
    },
    async sendRawTransaction(request) {
      pass('before_the_broadcast')
      const hash = await chain.client.sendRawTransaction(request)
      pass('after_the_broadcast')
      return hash
    },
  },
})

const watchedWallets = ({ chains, signer }: Wallets): Wallets => ({
  chains: chains.map(watchedChain),
  signer: signer && {
    ...signer,
    async sign(transaction) {
      const signed = await signer.sign(transaction)
      pass('after_the_signature')
      return signed
    },
  },
})

/** Recognises commits by what they write: the leg, the end of the transfer, or the postings of the ramp. */
const watchedDatabase = (db: Database): Database => ({
  ...db,
  async batchInOrg(orgId, batch) {
    const writes = (pattern: RegExp): boolean => batch.some(({ sql }) => pattern.test(sql))
    const isCompletion = writes(/^insert into "ledger_transfers"/)
    const isLeg = writes(/^update "ramp_legs"/) && !isCompletion
    const isConfirmation = writes(/^update "wallet_transfers"/)
    if (isLeg) pass('before_the_leg_is_written')
    if (isConfirmation) pass('before_the_confirmation_is_written')
    if (isCompletion) pass('before_the_ramp_is_completed')
    const results = await db.batchInOrg(orgId, batch)
    if (isLeg) pass('after_the_leg_is_written')
    if (isConfirmation) pass('after_the_confirmation_is_written')
    if (isCompletion) pass('after_the_ramp_is_completed')
    return results
  },
})

const config = readConfig()
const deps = await createDeps(config)
const watched = { ...deps, db: watchedDatabase(deps.db), wallets: watchedWallets(deps.wallets) }
// A short lease frees the work of a killed relay quickly: hundreds of workers are killed here.
await runWorker(config, watched, { leaseSeconds: 2 })
