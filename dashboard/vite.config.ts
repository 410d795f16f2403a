import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Under the content security policy nothing is inline, so small files are not embedded either. */
export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2024' },
})
