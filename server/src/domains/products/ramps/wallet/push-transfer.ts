import { keccak256, type Hex, type TransactionReceipt } from 'viem'
import { isUniqueViolation } from '../../../../kernel/db/errors.ts'
import { findChain } from './list-chains.ts'
import type { Chain, SignedVersion, Transfer, WalletDeps } from './record.ts'
import { nextFees, transferData } from './rules.ts'
import { maxFeeWei } from './schema.ts'
import { findTransfer, insertVersion, selectVersions, updateTransfer } from './store.ts'

/** `displaced`: the nonce of the transfer was used by a transaction that is not ours. */
export type TransferStatus =
  | { kind: 'absent' }
  | { kind: 'waiting'; txHash: string | null }
  | { kind: 'confirmed' | 'reverted'; txHash: string }
  | { kind: 'displaced' }

const versionsLimit = 50
/** Unused gas costs nothing, while too little of it makes a valid transfer fail. */
const leastGas = 120_000n

/**
 * Checks a transfer and does what it needs: signs it, sends it again, raises its fee. Every version has the nonce
 * that was reserved for the transfer and is stored before it is sent, so repeating this is harmless.
 */
export async function pushTransfer(
  deps: WalletDeps,
  orgId: string,
  reference: string,
): Promise<TransferStatus> {
  const transfer = await deps.db.inOrg(orgId, (tx) => findTransfer(tx, orgId, reference))
  if (!transfer) return { kind: 'absent' }
  if (transfer.state !== 'open') return statusOf(transfer)
  const chain = findChain(deps.wallets, transfer.chainId)
  // The head is read before the versions: any version mined up to it was stored before it was sent, so it is among them.
  const head = await chain.client.getBlockNumber()
  const versions = await deps.db.inOrg(orgId, (tx) => selectVersions(tx, orgId, reference))
  const receipt = await findReceipt(chain, versions)
  if (receipt) {
    const isDeep = head - receipt.blockNumber + 1n >= BigInt(chain.confirmations)
    if (!isDeep) return { kind: 'waiting', txHash: receipt.transactionHash }
    const state = receipt.status === 'success' ? 'confirmed' : 'reverted'
    return end(deps, orgId, transfer, { state, txHash: receipt.transactionHash })
  }
  if (await isDisplaced(chain, transfer, { head, versions }))
    return end(deps, orgId, transfer, { state: 'displaced', txHash: null })
  const version = await versionToSend(deps, orgId, { transfer, versions, chain })
  if (version) await broadcast(chain, version)
  return { kind: 'waiting', txHash: version?.txHash ?? null }
}

const statusOf = ({ state, txHash }: Pick<Transfer, 'state' | 'txHash'>): TransferStatus =>
  state === 'displaced' || state === 'open' || txHash === null
    ? { kind: 'displaced' }
    : { kind: state, txHash }

async function end(
  deps: WalletDeps,
  orgId: string,
  { reference }: Transfer,
  outcome: Pick<Transfer, 'state' | 'txHash'>,
): Promise<TransferStatus> {
  await deps.db.batchInOrg(orgId, [updateTransfer(orgId, reference, outcome)])
  return statusOf(outcome)
}

/** The receipt of the version that was mined; the chain mines at most one. */
async function findReceipt(
  chain: Chain,
  versions: readonly SignedVersion[],
): Promise<TransactionReceipt | undefined> {
  for (const { txHash } of versions.toReversed()) {
    const receipt = await receiptOf(chain, txHash)
    if (receipt) return receipt
  }
  return undefined
}

async function receiptOf(chain: Chain, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return undefined
    throw error
  }
}

/** The nonce was used by none of our versions, deep in the chain: the key was used elsewhere. */
async function isDisplaced(
  chain: Chain,
  transfer: Transfer,
  { head, versions }: { head: bigint; versions: readonly SignedVersion[] },
): Promise<boolean> {
  const depth = BigInt(chain.confirmations)
  if (versions.length === 0 || head < depth) return false
  const used = await chain.client.getTransactionCount({ address: transfer.from, blockNumber: head - depth })
  return used > transfer.nonce
}

/** The last version while it is recent, and a new one with a higher fee after that, unless gas is above the limit. */
async function versionToSend(
  deps: WalletDeps,
  orgId: string,
  { transfer, versions, chain }: { transfer: Transfer; versions: readonly SignedVersion[]; chain: Chain },
): Promise<SignedVersion | undefined> {
  const last = versions.at(-1)
  const now = await deps.db.now()
  const isRecent = last && now.getTime() - last.createdAt.getTime() < chain.bumpAfterMs
  if (last && (isRecent || versions.length >= versionsLimit)) return last
  const fees = nextFees(await chain.client.estimateFeesPerGas(), last, maxFeeWei(chain))
  const { signer } = deps.wallets
  if (!fees || !signer) return last
  const signed = await signer.sign({
    chainId: transfer.chainId,
    nonce: transfer.nonce,
    to: transfer.token,
    data: transferData(transfer),
    gas: await gasFor(chain, transfer),
    ...fees,
  })
  const version: SignedVersion = {
    ...fees,
    versionNo: (last?.versionNo ?? 0) + 1,
    txHash: keccak256(signed),
    signed,
    createdAt: now,
  }
  try {
    await deps.db.batchInOrg(orgId, [insertVersion(orgId, transfer.reference, version)])
    return version
  } catch (error) {
    // Another process has stored this version and sends it.
    if (isUniqueViolation(error, 'wallet_transactions_pkey')) return last
    throw error
  }
}

/** Estimated on mined state: on pending state an earlier version may have filled the payee's slot, which is cheaper. */
async function gasFor(chain: Chain, transfer: Transfer): Promise<bigint> {
  try {
    const gas = await chain.client.estimateGas({
      account: transfer.from,
      to: transfer.token,
      data: transferData(transfer),
      blockTag: 'latest',
    })
    const roomy = gas + gas / 4n
    return roomy > leastGas ? roomy : leastGas
  } catch {
    return leastGas
  }
}

/** The node's answer is ignored: the next poll finds out whether the transaction is known, mined or dropped. */
async function broadcast(chain: Chain, { signed }: SignedVersion): Promise<void> {
  try {
    await chain.client.sendRawTransaction({ serializedTransaction: signed })
  } catch {
    return
  }
}
