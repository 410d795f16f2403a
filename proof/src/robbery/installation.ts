import { join } from 'node:path'
import type { Pool } from 'pg'
import { callChain, type Hex } from '@switchyard/stack/chain/json-rpc.ts'
import type { ManagedProcess } from '@switchyard/stack/installation/managed-process.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'
import { hurry } from '../shared/limits.ts'
import { operatorMaximum } from './rules.ts'
import { seedPeople, type People, type Person } from './people.ts'

/** One api, one worker, the engine, a chain with the operator's wallet, and the simulator, whose log is the truth. */
export type RobberyInstallation = {
  readonly url: string
  readonly simulatorUrl: string
  readonly simulatorDir: string
  readonly owner: Pool
  readonly people: People
  readonly witness: Witness
  readonly programs: readonly ManagedProcess[]
  /** Node's flags for the next start of a program. */
  readonly nodeFlags: string[]
  readonly unexpectedExits: readonly string[]
  /** Where a planted bug is written for the programs to read. */
  readonly plantedFile: string
  /** A person who signs in at the identity provider, as anybody with an e-mail address can. */
  signIn(userId: string, orgId: string): Promise<Person>
  /** The amount of each transfer of tokens to the address, in minor units. */
  tokensSentTo(address: Hex): Promise<bigint[]>
  audit(): Promise<string>
  stop(): Promise<void>
}

/** What the suite knows because its own thieves did it; no record of ours is asked for it. */
export type Witness = {
  /** The payments that were asked for with a listed person in them. */
  readonly listed: Set<string>
  /** Payments that the suite has moved into the past, as if a day had gone by. */
  readonly aged: Set<string>
  /** Each rate that the suite set, with its time: units of the currency per US dollar. */
  readonly rates: { readonly atMs: number; readonly currency: string; readonly perUsd: number }[]
  /** The last entry of the audit log that the seed wrote. */
  readonly seededUntil: string
}

const sharedPrograms = join(import.meta.dirname, '../shared/programs')
const simulatorDelayMs = 30
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const chain = { blockSeconds: 1, settings: { confirmations: 1 } }

export async function startRobberyInstallation(): Promise<RobberyInstallation> {
  const nodeFlags: string[] = []
  const installation = await startInstallation({
    postgres: { fast: true },
    hasMailbox: true,
    hasIdentity: true,
    chain,
    simulator: { runsAs: 'process', delayMs: simulatorDelayMs },
    env: { ...hurry, LOG_LEVEL: 'error', DATABASE_POOL_SIZE: '12' },
    seed: seedPeople,
  })
  const { owner, seeded: people, simulator, identity } = installation
  const plantedFile = join(installation.directory, 'planted.json')
  try {
    await verifyOrgs(owner, people)
    await ageOperators(owner, people)
    await setOperatorMaximum(owner)
    const env = { PLANTED_FILE: plantedFile }
    const programs = [
      await installation.startApi({ file: join(sharedPrograms, 'api.ts'), nodeFlags, env }),
      await installation.startWorker({ file: join(sharedPrograms, 'worker.ts'), nodeFlags, env }),
    ]
    return {
      url: installation.apiUrl,
      simulatorUrl: simulator.url,
      simulatorDir: simulator.stateDir,
      owner,
      people,
      witness: {
        listed: new Set(),
        aged: new Set(),
        rates: await currentRates(owner),
        seededUntil: await lastAuditId(owner),
      },
      programs,
      nodeFlags,
      plantedFile,
      unexpectedExits: installation.unexpectedExits,
      async signIn(userId, orgId) {
        identity.accounts.add([{ user_id: userId, email: `${userId}@robbery.test`, org_id: orgId }])
        const token = await identity.issueToken(userId, orgId)
        return {
          name: 'puppet',
          orgId,
          userId,
          headers: { authorization: `Bearer ${token}`, 'x-api-key': 'NONE' },
        }
      },
      tokensSentTo: (address) => tokensSentTo(installation.chain, address),
      audit: () => installation.run('audit'),
      stop: () => installation.stop(),
    }
  } catch (error) {
    await installation.stop()
    throw error
  }
}

/** The thief passed its verification, so that the other guards have to stop it. */
async function verifyOrgs(owner: Pool, { hostile, guarded, founded, trader, honest }: People): Promise<void> {
  await owner.query(`update organizations set kyb_status = 'approved' where org_id = any($1)`, [
    [hostile, guarded, founded, trader, honest].map(({ orgId }) => orgId),
  ])
}

const twoMonths = '60 days'

/** The operator's people count as second persons for each other: whoever added them did so long ago. */
async function ageOperators(owner: Pool, { clerk }: People): Promise<void> {
  await owner.query('update empowerments set created_at = created_at - $2::interval where org_id = $1', [
    clerk.orgId,
    twoMonths,
  ])
}

async function lastAuditId(owner: Pool): Promise<string> {
  const { rows } = await owner.query<{ last: string }>('select max(audit_id::text) as last from audit_log')
  return rows[0]?.last ?? ''
}

async function currentRates(owner: Pool): Promise<Witness['rates']> {
  const { rows } = await owner.query<{ currency: string; perUsd: string }>(
    'select currency, per_usd as "perUsd" from market_rates',
  )
  return rows.map(({ currency, perUsd }) => ({ atMs: 0, currency, perUsd: Number(perUsd) }))
}

async function setOperatorMaximum(owner: Pool): Promise<void> {
  await owner.query(
    `update provider_configs set max_amount = $1 where country = $2 and direction = 'outbound'`,
    [operatorMaximum.units, operatorMaximum.country],
  )
}

async function tokensSentTo(
  { rpcUrl, token }: { rpcUrl: string; token: Hex },
  address: Hex,
): Promise<bigint[]> {
  const topics = [transferTopic, null, `0x${address.slice(2).toLowerCase().padStart(64, '0')}`]
  const logs = await callChain<{ data: Hex }[]>(rpcUrl, 'eth_getLogs', [
    { address: token, fromBlock: '0x0', toBlock: 'latest', topics },
  ])
  return logs.map(({ data }) => BigInt(data))
}
