import { parseAbiItem, type Address } from 'viem'
import { findChain, findToken } from './list-chains.ts'
import type { Chain, Deposit, DepositAddress, WalletDeps } from './record.ts'
import {
  findDepositAddress,
  insertDepositAddress,
  insertDeposits,
  sumDeposits,
  takeDerivationIndex,
} from './store.ts'

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
/** The number of block ranges scanned per poll; the next poll continues from there. */
const scansLimit = 20

/** Opens one deposit address per reference; repeated calls return the same one. */
export async function openDeposit(
  deps: WalletDeps,
  orgId: string,
  wanted: { reference: string; network: string; asset: string },
): Promise<Address | undefined> {
  const known = await deps.db.inOrg(orgId, (tx) => findDepositAddress(tx, orgId, wanted.reference))
  if (known) return known.address
  const place = findToken(deps.wallets, wanted)
  if (!place) return undefined
  const { chain, token, signer } = place
  const head = await chain.client.getBlockNumber()
  const derivationIndex = await deps.db.inOrg(orgId, (tx) => takeDerivationIndex(tx, orgId))
  const row: DepositAddress = {
    reference: wanted.reference,
    chainId: chain.chainId,
    token,
    address: signer.depositAddress(derivationIndex),
    // Nobody can have paid before this block; a reorganisation may still replace the last few.
    scannedBlock: head > BigInt(chain.confirmations) ? head - BigInt(chain.confirmations) : 0n,
  }
  await deps.db.batchInOrg(orgId, [insertDepositAddress(orgId, { ...row, derivationIndex })])
  const written = await deps.db.inOrg(orgId, (tx) => findDepositAddress(tx, orgId, wanted.reference))
  return written?.address
}

export interface DepositStatus {
  /** In blocks with enough confirmations. */
  confirmedMinor: bigint
  /** Including recent blocks, which a reorganisation may still remove. */
  seenMinor: bigint
}

export async function findDeposits(
  deps: WalletDeps,
  orgId: string,
  reference: string,
): Promise<DepositStatus | undefined> {
  const address = await deps.db.inOrg(orgId, (tx) => findDepositAddress(tx, orgId, reference))
  if (!address) return undefined
  const chain = findChain(deps.wallets, address.chainId)
  const head = await chain.client.getBlockNumber()
  const deep = head - BigInt(chain.confirmations) + 1n
  let scanned = address.scannedBlock
  for (let scan = 0; scan < scansLimit && scanned < deep; scan++) {
    const end = smaller(scanned + BigInt(chain.logBlocksLimit), deep)
    const deposits = await findTransfers(chain, address, { from: scanned + 1n, to: end })
    await deps.db.batchInOrg(orgId, insertDeposits(orgId, reference, { deposits, scannedBlock: end }))
    scanned = end
  }
  const recent = scanned < head ? await findTransfers(chain, address, { from: scanned + 1n, to: head }) : []
  const confirmedMinor = await deps.db.inOrg(orgId, (tx) => sumDeposits(tx, orgId, reference))
  const recentMinor = recent.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return { confirmedMinor, seenMinor: confirmedMinor + recentMinor }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

async function findTransfers(
  chain: Chain,
  { token, address }: DepositAddress,
  blocks: { from: bigint; to: bigint },
): Promise<Deposit[]> {
  const logs = await chain.client.getLogs({
    address: token,
    event: transferEvent,
    args: { to: address },
    fromBlock: blocks.from,
    toBlock: smaller(blocks.to, blocks.from + BigInt(chain.logBlocksLimit)),
    strict: true,
  })
  return logs
    .filter((log) => log.args.value > 0n)
    .map((log) => ({
      txHash: log.transactionHash,
      logIndex: log.logIndex,
      blockNumber: log.blockNumber,
      from: log.args.from,
      amountMinor: log.args.value,
    }))
}
