import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { meKey } from './api/sessions.ts'
import { active } from './messages/active.ts'
import { basePath } from './paths.ts'
import { prefetchScreen, routes } from './routes.tsx'
import { noticeEnding, SessionEnding } from './shell/ended.tsx'
import { Toasts } from './shell/toasts.tsx'

const staleMs = 5_000

const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== meKey[0]) noticeEnding(error, true)
    },
  }),
  mutationCache: new MutationCache({ onError: (error) => noticeEnding(error, false) }),
  // The SDK already retries requests that may succeed later.
  defaultOptions: { queries: { retry: false, staleTime: staleMs } },
})

export function startApp(): void {
  const root = document.querySelector('#app')
  if (!root) throw new Error('the page has no place for the dashboard')
  prefetchScreen()
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <DirectionProvider direction={active().direction}>
          <QueryClientProvider client={client}>
            <RouterProvider router={createBrowserRouter(routes, { basename: basePath })} />
            <SessionEnding />
            <Toasts />
          </QueryClientProvider>
        </DirectionProvider>
      </CSPProvider>
    </StrictMode>,
  )
}
