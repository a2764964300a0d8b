import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const server = `http://127.0.0.1:${process.env['ERRARE_PORT'] ?? '7341'}`;

// The bundle is committed and embedded in the binary, so the same sources must always give the same bytes; and the server
// allows no inline script or style, so none may be made.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../crates/errare-server/bundle',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
  server: {
    host: '127.0.0.1',
    // The example of Assess is the games that the crates test with.
    fs: { allow: ['..'] },
    // The server checks Host and Origin, so requests must look as if they were its own page's.
    proxy: {
      '/api': {
        target: server,
        changeOrigin: true,
        configure: (proxy) => proxy.on('proxyReq', (request) => request.removeHeader('origin')),
      },
    },
  },
});
