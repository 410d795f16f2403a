/** The database of an installation. */
export const databaseName = 'switchyard'

const rolePassword = 'test'

/** The URL of a database on the server for one of its roles. Only the superuser keeps the password of the server's URL. */
export function databaseUrl(serverUrl: string, database: string, role: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  if (role !== 'postgres') {
    url.username = role
    url.password = rolePassword
  }
  return url.href
}
