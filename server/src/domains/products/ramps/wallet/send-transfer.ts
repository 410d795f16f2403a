import { erc20Abi, type Address } from 'viem'
import { findToken } from './list-chains.ts'
import { pushTransfer, type TransferStatus } from './push-transfer.ts'
import type { NewTransfer, TokenPlace, WalletDeps } from './record.ts'
import { nextFees, transferData } from './rules.ts'
import { maxFeeWei } from './schema.ts'
import { findTransfer, abandonTransfer, reserveNonceAcrossOrgs, sumOpenTransfersAcrossOrgs } from './store.ts'

export interface TransferOrder {
  reference: string
  network: string
  asset: string
  to: Address
  amountMinor: bigint
}

/** `refused`: the token contract rejects the transfer; `later`: nothing was reserved, so it may be tried again. */
type SentTransfer = TransferStatus | { kind: 'refused' } | { kind: 'later'; reason: string }

/**
 * Sends tokens from our wallet, exactly once for each reference: the reference is bound to a nonce before anything
 * is signed, and a chain mines one transaction for each nonce.
 */
export async function sendTransfer(
  deps: WalletDeps,
  orgId: string,
  order: TransferOrder,
): Promise<SentTransfer> {
  const known = await deps.db.inOrg(orgId, (tx) => findTransfer(tx, orgId, order.reference))
  if (known) return pushTransfer(deps, orgId, order.reference)
  const place = findToken(deps.wallets, order)
  if (!place)
    return unlessSent(deps, orgId, order, {
      kind: 'later',
      reason: 'our wallet does not hold this asset on this network',
    })
  const transfer: NewTransfer = {
    reference: order.reference,
    chainId: place.chain.chainId,
    token: place.token,
    from: place.signer.address,
    to: order.to,
    amountMinor: order.amountMinor,
  }
  const obstacle = await obstacleTo(deps, place, transfer)
  if (obstacle) return unlessSent(deps, orgId, order, obstacle)
  const chainNonce = await place.chain.client.getTransactionCount({
    address: place.signer.address,
    blockTag: 'latest',
  })
  await deps.db.acrossOrgs((tx) => reserveNonceAcrossOrgs(tx, orgId, transfer, chainNonce))
  const status = await pushTransfer(deps, orgId, order.reference)
  return status.kind === 'absent' ? { kind: 'later', reason: 'it was given up before it was sent' } : status
}

/** Makes sure that nothing is ever sent under the reference; returns the transfer's status if it is too late. */
export async function abandon(
  deps: WalletDeps,
  orgId: string,
  reference: string,
): Promise<TransferStatus | undefined> {
  const isGivenUp = await deps.db.inOrg(orgId, (tx) => abandonTransfer(tx, orgId, reference))
  return isGivenUp ? undefined : pushTransfer(deps, orgId, reference)
}

const unlessSent = async (
  deps: WalletDeps,
  orgId: string,
  { reference }: TransferOrder,
  otherwise: SentTransfer,
): Promise<SentTransfer> => (await abandon(deps, orgId, reference)) ?? otherwise

/** Checked before a nonce is reserved, because a reserved nonce must be used. */
async function obstacleTo(
  deps: WalletDeps,
  { chain }: TokenPlace,
  transfer: NewTransfer,
): Promise<Exclude<SentTransfer, TransferStatus> | undefined> {
  const { client } = chain
  const [balance, promised, fees] = await Promise.all([
    client.readContract({
      address: transfer.token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [transfer.from],
    }),
    deps.db.acrossOrgs((tx) => sumOpenTransfersAcrossOrgs(tx, transfer)),
    client.estimateFeesPerGas(),
  ])
  if (balance < promised + transfer.amountMinor)
    return { kind: 'later', reason: 'our wallet does not hold enough of the asset' }
  if (!nextFees(fees, undefined, maxFeeWei(chain)))
    return { kind: 'later', reason: 'gas costs more than the limit' }
  try {
    await client.call({ account: transfer.from, to: transfer.token, data: transferData(transfer) })
    return undefined
  } catch (error) {
    if (isRevert(error)) return { kind: 'refused' }
    throw error
  }
}

/** The contract rejected the call; any other error is a problem with the node. */
const isRevert = (error: unknown): boolean =>
  error instanceof Error && /revert/i.test(`${error.name} ${error.message}`)
