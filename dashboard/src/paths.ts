/** Every address of the dashboard, below `/dashboard`. */
export const paths = {
  home: '/',
  payments: '/payments',
  payment: '/payments/:paymentId',
  sessions: '/sessions',
  signIn: '/sign-in',
} as const

export const paymentPath = (paymentId: string): string => `${paths.payments}/${paymentId}`

export const basePath = '/dashboard'

/** Where the identity provider sends the person back to. */
export const loginUrl = (returnTo: string, prompt?: 'login'): string => {
  const query = new URLSearchParams({ return_to: returnTo, ...(prompt && { prompt }) })
  return `/auth/login?${query.toString()}`
}
