import { sendEarly } from './api/early-requests.ts'
import { basePath, paths } from './paths.ts'
import { startLanguage } from './shell/language.ts'
import { startTheme } from './shell/theme.ts'
import './ui/base.css'

startTheme()

/** The lists that people open first. Their rows are requested before the application is loaded. */
const firstLists: Readonly<Record<string, string>> = { [paths.payments]: '/v1/transactions' }

const path = location.pathname.slice(basePath.length)
if (path !== paths.signIn) sendEarly(location.search === '' ? firstLists[path] : undefined)

/** The application is loaded after its language, because its modules read their texts when they are evaluated. */
startLanguage()
  .then(() => import('./app.tsx'))
  .then(({ startApp }) => startApp())
  .catch((error: unknown) => {
    document.querySelector('#app')?.append('The dashboard could not be loaded. Reload the page.')
    throw error
  })
