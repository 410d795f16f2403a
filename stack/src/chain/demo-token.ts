import { callChain, unlockedAccount, type Hex } from './json-rpc.ts'

/** The compiled bytecode of demo-token.sol. */
const bytecode =
  '6080604052348015600f57600080fd5b506104c58061001f6000396000f3fe608060405234801561001057600080fd5b5060' +
  '0436106100875760003560e01c806370a082311161005b57806370a082311461013657806395d89b4114610164578063a905' +
  '9cbb14610187578063fbac3951146101aa57600080fd5b80620af2a11461008c57806306fdde03146100c7578063313ce567' +
  '1461010957806340c10f1914610123575b600080fd5b6100c561009a3660046103b3565b6001600160a01b03919091166000' +
  '908152600160205260409020805460ff1916911515919091179055565b005b6100f36040518060400160405280600d815260' +
  '20016c2232b6b7902aa9a21021b7b4b760991b81525081565b60405161010091906103ef565b60405180910390f35b610111' +
  '600681565b60405160ff9091168152602001610100565b6100c561013136600461043d565b6101cd565b6101566101443660' +
  '04610467565b60006020819052908152604090205481565b604051908152602001610100565b6100f3604051806040016040' +
  '528060048152602001635553444360e01b81525081565b61019a61019536600461043d565b61023f565b6040519015158152' +
  '602001610100565b61019a6101b8366004610467565b60016020526000908152604090205460ff1681565b6001600160a01b' +
  '038216600090815260208190526040812080548392906101f590849061049f565b90915550506040518181526001600160a0' +
  '1b038316906000907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef906020016040518091' +
  '0390a35050565b3360009081526001602052604081205460ff1615801561027857506001600160a01b038316600090815260' +
  '01602052604090205460ff16155b6102b35760405162461bcd60e51b8152602060048201526007602482015266189b1bd8da' +
  'd95960ca1b60448201526064015b60405180910390fd5b336000908152602081905260409020548211156102fc5760405162' +
  '461bcd60e51b815260206004820152600760248201526662616c616e636560c81b60448201526064016102aa565b33600090' +
  '8152602081905260408120805484929061031b9084906104b2565b90915550506001600160a01b0383166000908152602081' +
  '905260408120805484929061034890849061049f565b90915550506040518281526001600160a01b0384169033907fddf252' +
  'ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a35060015b9291505056' +
  '5b80356001600160a01b03811681146103ae57600080fd5b919050565b600080604083850312156103c657600080fd5b6103' +
  'cf83610397565b9150602083013580151581146103e457600080fd5b809150509250929050565b6020815260008251806020' +
  '84015260005b8181101561041d5760208186018101516040868401015201610400565b506000604082850101526040601f19' +
  '601f83011684010191505092915050565b6000806040838503121561045057600080fd5b61045983610397565b9460209390' +
  '93013593505050565b60006020828403121561047957600080fd5b61048282610397565b9392505050565b634e487b7160e0' +
  '1b600052601160045260246000fd5b8082018082111561039157610391610489565b81810381811115610391576103916104' +
  '8956'

/** Encodes a function call, with its arguments as 32-byte words. */
const encoded = (selector: Hex, ...words: (Hex | bigint)[]): Hex =>
  `${selector}${words.map((word) => (typeof word === 'bigint' ? word.toString(16) : word.slice(2)).padStart(64, '0')).join('')}`

export interface DemoToken {
  readonly address: Hex
  mint(to: Hex, amountMinor: bigint): Promise<void>
  /** From an account that the chain has unlocked or impersonates. */
  transfer(from: Hex, to: Hex, amountMinor: bigint): Promise<Hex>
  setBlocked(who: Hex, isBlocked: boolean): Promise<void>
  balanceOf(who: Hex): Promise<bigint>
}

/** Deploys a token with six decimals from the first account of a development chain. */
export async function deployDemoToken(rpcUrl: string): Promise<DemoToken> {
  const from = await unlockedAccount(rpcUrl)
  const hash = await callChain<Hex>(rpcUrl, 'eth_sendTransaction', [
    { from, data: `0x${bytecode}`, gas: '0x2dc6c0' },
  ])
  return demoToken(rpcUrl, await createdBy(rpcUrl, hash))
}

function demoToken(rpcUrl: string, address: Hex): DemoToken {
  const send = async (from: Hex, data: Hex): Promise<Hex> =>
    callChain<Hex>(rpcUrl, 'eth_sendTransaction', [{ from, to: address, data, gas: '0x30d40' }])
  const asOwner = async (data: Hex): Promise<void> => {
    await receiptOf(rpcUrl, await send(await unlockedAccount(rpcUrl), data))
  }
  return {
    address,
    mint: (to, amountMinor) => asOwner(encoded('0x40c10f19', to, amountMinor)),
    transfer: (from, to, amountMinor) => send(from, encoded('0xa9059cbb', to, amountMinor)),
    setBlocked: (who, isBlocked) => asOwner(encoded('0x000af2a1', who, isBlocked ? 1n : 0n)),
    async balanceOf(who) {
      const call = { to: address, data: encoded('0x70a08231', who) }
      return BigInt(await callChain<Hex>(rpcUrl, 'eth_call', [call, 'latest']))
    },
  }
}

async function createdBy(rpcUrl: string, hash: Hex): Promise<Hex> {
  const { contractAddress } = await receiptOf(rpcUrl, hash)
  if (contractAddress === null) throw new Error('the token was not deployed')
  return contractAddress
}

interface Receipt {
  status: Hex
  contractAddress: Hex | null
}

const receiptTries = 200
const receiptWaitMs = 25

/** Waits for the transaction to be mined, which takes up to one block. */
async function receiptOf(rpcUrl: string, hash: Hex): Promise<Receipt> {
  for (let attempt = 0; attempt < receiptTries; attempt++) {
    const receipt = await callChain<Receipt | null>(rpcUrl, 'eth_getTransactionReceipt', [hash])
    if (receipt?.status === '0x1') return receipt
    if (receipt) throw new Error('a transaction for the demo token reverted')
    await new Promise((resolve) => setTimeout(resolve, receiptWaitMs))
  }
  throw new Error('a transaction for the demo token was not mined')
}
