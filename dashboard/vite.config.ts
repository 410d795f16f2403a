import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

/** The application waits for its language. These tags preload its scripts and styles in the meantime. */
const preloadApp = (entry: string): Plugin => ({
  name: 'preload-app',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
      const main = chunks.find(({ isEntry }) => isEntry)
      const inPage = [main?.fileName, ...(main?.imports ?? [])]
      const needed = new Set<string>()
      const styles = new Set<string>()
      const visit = (chunk: (typeof chunks)[number] | undefined): void => {
        if (!chunk || needed.has(chunk.fileName)) return
        needed.add(chunk.fileName)
        for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
        for (const name of chunk.imports) visit(chunks.find(({ fileName }) => fileName === name))
      }
      visit(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(entry)))
      const tag = (file: string, rel: string): HtmlTagDescriptor => ({
        tag: 'link',
        injectTo: 'head',
        attrs: { rel, crossorigin: true, href: `/dashboard/${file}` },
      })
      return [
        ...[...needed].filter((file) => !inPage.includes(file)).map((file) => tag(file, 'modulepreload')),
        ...[...styles]
          .filter((file) => !main?.viteMetadata?.importedCss.has(file))
          .map((file) => tag(file, 'stylesheet')),
      ]
    },
  },
})

/** Nearly every list needs these modules, so they are one file: on a slow network, each extra file costs more than its content. */
const listParts = {
  name: 'list',
  test: /dashboard\/src\/(?:ui\/(?:list-page|list-address|filter-parts|filters|export-button|moment|money|decimal|badge|status|start-of-day|format)|api\/use-list|messages\/name-of)\.tsx?$/,
}

/** The content security policy forbids inline content, so small files are not embedded either. */
export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), preloadApp('/src/app.tsx')],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [listParts] } },
    },
  },
})
