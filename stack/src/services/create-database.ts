import { Client } from 'pg'

export async function createDatabaseIfMissing(superuserUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
