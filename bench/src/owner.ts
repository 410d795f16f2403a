import { Client } from 'pg'

export async function asOwner(ownerUrl: string, work: (owner: Client) => Promise<unknown>): Promise<void> {
  const owner = new Client(ownerUrl)
  await owner.connect()
  try {
    await work(owner)
  } finally {
    await owner.end()
  }
}
