# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json prisma.config.ts ./
COPY prisma prisma
COPY shared shared
COPY ops ops
RUN npm ci
COPY api api
COPY worker worker
COPY client client
COPY console console
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/prisma prisma
COPY --from=build /app/dist dist
COPY .env.example ./
USER node
# The API, and the health and metrics of any process when HEALTH_PORT is 3001.
EXPOSE 3000 3001
CMD ["node", "dist/api/main.js"]
